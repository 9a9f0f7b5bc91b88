# SPDX-License-Identifier: MIT
"""
What the public headers and the documents show as C compiles, and runs where it can: the blocks of a document, one after the
other, are one source file. The examples of the headers compile, with each compiler of the machine and with warnings as errors; with a compiler and
libraries named, those of functions are linked and run as well, each on a new table and a cluster of one rank over a simulated
network. An example is the body of a function that returns 0 when all is well. What an example uses without declaring it is
declared below.

    examples.py ROOT [COMPILER LIBRARY...]
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools"))
import manpages  # noqa: E402

FLAGS = ["-std=c17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-variable", "-Iinclude", "-Isrc"]
DOCUMENTS = ("README.md", "docs/table.md", "docs/from-your-table.md")
BLOCK = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# These need an MPI or end what the others use; they are compiled only.
NOT_RUN = ("tabia_transport_mpi", "tabia_transport_from_comm", "tabia_transport_close")
FIXTURE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tabia/cluster.h>
#include "cluster/transport_simulated.h"

static TabiaTable *table;
static TabiaTransport *transport;
static TabiaCluster *cluster;
static TabiaError error;
static TabiaKey key = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9};
static TabiaEntry entry = {.move = 1, .score = 2, .evaluation = 3, .draft = 4, .bound = TABIA_BOUND_EXACT};
static TabiaHit hit;
static uint64_t path, total, total_bytes = 1 << 20, now = 5000000, lease = 2000000;
static unsigned depth = 4;
static int score, argc = 1, ready;
static char name[] = "example", *arguments[] = {name, NULL}, **argv = arguments;
"""
# What the examples in the headers' opening comments stand among.
SKETCH = r"""
#include <tabia/record.h>
#define MPI_COMM_WORLD 0
int64_t MPI_Comm_c2f(int communicator);
void fail(const char *text), run(TabiaTransport *over), try_first(uint16_t move);
void work_on(TabiaKey what);
uint64_t count_leaves(const void *position, unsigned depth);
const uint64_t *evaluate_pawns(const void *position, uint64_t *pawns);
static const void *position;
static TabiaOptions options, table_options;
static TabiaClusterOptions cluster_options;
"""
RUN = r"""
static void run_one(const char *what, int (*example)(void), TabiaRecordType type) {
    const TabiaOptions of = {.bytes = 1 << 20, .type = type};
    SimulatedNetwork *network = simulated_network_create((SimulatedNetworkOptions){.ranks = 1, .seed = 1}, &error);
    if (!network || tabia_table_create(&table, &of, &error)) exit(2);
    transport = simulated_network_rank(network, 0);
    if (type == TABIA_ENTRIES && tabia_cluster_create(&cluster, transport, table, NULL, &error)) exit(2);
    const int result = example();
    fprintf(stderr, "%s", result ? what : "");
    if (result) exit(1);
    tabia_cluster_destroy(cluster);
    tabia_table_destroy(table);
    simulated_network_destroy(network);
    cluster = NULL;
}
"""


def example_of(block):
    """The lines of a comment's example, or nothing."""
    return [line[4:] for label, lines in block.paragraphs() if label == "Example" for line in lines]


def function(name, lines, place):
    return f"static int example_{name}(void) {{\n#line 1 \"{place}\"\n" + "\n".join(lines) + "\nreturn 0;\n}\n"


def record_type(name):
    """The table that a function's example needs."""
    if "_counts" in name:
        return "TABIA_COUNTS"
    return "TABIA_RECORDS" if "_record_" in name else "TABIA_ENTRIES"


def functions_run(header):
    """The examples of functions that are run, as C functions."""
    return "".join(function(block.name, example_of(block), f"example of {block.name} in {header.file}")
                   for block in header.functions if block.name not in NOT_RUN)


def whole(header):
    """All examples of a header in one C text: those that are run, those that are compiled only, that of the opening comment."""
    rest = "".join(function(block.name, example_of(block), f"example of {block.name} in {header.file}")
                   for block in header.functions if block.name in NOT_RUN)
    opening = function("opening", example_of(header.opening), f"example at the head of {header.file}")
    return f"{FIXTURE}#include <tabia/{header.file}>\n{functions_run(header)}{rest}{SKETCH}{opening}"


def fragments(text, document):
    """The blocks of a document, with #line so that a fault is reported at its place in it."""
    return "".join(f'#line {text.count(chr(10), 0, m.start(1)) + 1} "{document}"\n{m.group(1)}' for m in BLOCK.finditer(text))


def compile_all(root, texts):
    """A fault for each text, by its name, and compiler that refuses it."""
    faults, compilers = [], [c for c in ("clang", "gcc") if shutil.which(c)] or ["cc"]
    for name, text in texts.items():
        if not text:
            faults.append(f"{name}: no fragment of C in it")
        for compiler in compilers:
            run = subprocess.run([compiler, *FLAGS, "-fsyntax-only", "-x", "c", "-"], cwd=root, input=text, capture_output=True, text=True)
            if run.returncode:
                faults.append(f"an example of {name} does not compile with {compiler}:\n{run.stderr}")
    return faults


def run_all(root, headers, compiler, libraries):
    """Faults of the examples that are run, all in one program."""
    functions = [block.name for header in headers for block in header.functions if block.name not in NOT_RUN]
    text = FIXTURE + "#include <tabia/record.h>\n"
    for header in headers:
        text += f"#include <tabia/{header.file}>\n" + functions_run(header)
    calls = "\n".join(f'run_one("{name}", example_{name}, {record_type(name)});' for name in functions)
    text += RUN + "int main(void) {\n" + calls + "\nreturn 0;\n}\n"
    libraries = [os.path.abspath(path) for path in libraries]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "examples")
        command = [*compiler.split(), *FLAGS, "-x", "c", "-", "-x", "none", *libraries, "-pthread", "-lrt", "-o", program]
        built = subprocess.run(command, cwd=root, input=text, capture_output=True, text=True)
        if built.returncode:
            return [f"the examples are not linked:\n{built.stderr}"]
        ran = subprocess.run([program], cwd=folder, capture_output=True, text=True, timeout=120)
    return [f"the examples ended with status {ran.returncode}: {ran.stderr}"] if ran.returncode else []


def main(root, compiler=None, *libraries):
    paths = [os.path.join(root, path) for path in tree.sources(root, (manpages.FOLDER,), (".h",))]
    headers = [manpages.Header(path) for path in paths]
    documents = [d for d in DOCUMENTS if os.path.exists(os.path.join(root, d))]
    faults = compile_all(root, {**{h.file: whole(h) for h in headers}, **{d: fragments(tree.read(root, d), d) for d in documents}})
    if compiler and not faults:
        faults = run_all(root, headers, compiler, libraries)
    count = sum(len(header.functions) for header in headers)
    tree.close(faults, f"{count} examples and {len(documents)} documents compile" + (" and run" if compiler else ""))


if __name__ == "__main__":
    main(*sys.argv[1:])
