# SPDX-License-Identifier: MIT
"""The ways of others to libtabia: `make install-lib`, then pkg-config, CMake, Python, Rust and Go; as a subproject of
meson, from the files that the recipe for Conan takes; and the recipes themselves, the container's too.
What is not on this machine (cmake, rustc, go) is left out, with a word.

ways_in.py ROOT VERSION
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from installed import Outside, check, find, run, skip

ROOT, VERSION = sys.argv[1:3]
EXPECTED = f"libtabia {VERSION}: of 2000 positions 2000 moves are known, 1000 scores are usable, 0 are wrong\n"
STRUCTURES = {"TabiaOptions": ("options.h", "Options"), "TabiaError": ("error.h", "Error"), "TabiaKey": ("table.h", "Key"),
              "TabiaEntry": ("entry.h", "Entry"), "TabiaHit": ("entry.h", "Hit")}
RUST_NAMES = {"record_type": "type", "best": "move"}  # words that Rust keeps for itself
USE = """
#include <stdio.h>
#include <tabia/entry.h>
int main(void) {
    TabiaTable *table;
    if (tabia_table_create(&table, NULL, NULL)) return 1;
    if (tabia_version_check(TABIA_VERSION_NUMBER, NULL)) return 2;
    const TabiaKey key = tabia_key_from_64(42);
    tabia_entry_store(table, key, 0, (TabiaEntry){.move = 7, .draft = 3, .bound = TABIA_BOUND_EXACT});
    printf("%s %d\\n", tabia_version(), tabia_entry_probe(table, key, 0).entry.move);
    tabia_table_destroy(table);
}
"""
CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(use C)
find_package(tabia {version} REQUIRED)
foreach(kind tabia static)
  add_executable(use_${{kind}} use.c)
  target_link_libraries(use_${{kind}} PRIVATE tabia::${{kind}})
endforeach()
"""
MESON = """
project('use', 'c')
tabia = dependency('tabia', fallback: 'tabia', default_options: ['programs=false'])
executable('use', 'use.c', dependencies: tabia)
"""


def write(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def copy_tree(folder):
    """The tree as a user has it, without what was built in it."""
    shutil.copytree(ROOT, folder, ignore=lambda place, names: [n for n in names if n == ".git" or n.startswith("build")
                                                               or n in ("subprojects", "__pycache__")])


def install_lib(tree, target):
    """`make install-lib` installs the library, its documents and nothing else, and says what to set; `make uninstall` removes it."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE") and k != "MFLAGS"}
    done = run("make", "-C", tree, "install-lib", f"PREFIX={target}", env=environment)
    folder = os.path.dirname(os.path.dirname(find(target, "tabia.pc")))
    check(f"export PKG_CONFIG_PATH={folder}/pkgconfig LD_LIBRARY_PATH={folder}" in done, f"make install-lib: {done}")
    documents = os.path.join(target, "share/doc/tabia")
    for name in ("README.md", "docs/table.md", "docs/from-your-table.md", "examples/ten_lines.c"):
        check(os.path.isfile(os.path.join(documents, name)), f"make install-lib does not install {name}")
    names = {name for place, _, names in os.walk(target) for name in names
             if not name.endswith(".3") and (place == documents or not place.startswith(documents))}
    wanted = {"libtabia.so", "libtabia.so.0", f"libtabia.so.{VERSION}", "libtabia.a", "tabia.pc", "tabia-config.cmake",
              "tabia-config-version.cmake", "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md",
              *(os.listdir(os.path.join(ROOT, "include/tabia")))}
    wanted -= {"cluster.h", "cluster_options.h", "cluster_table.h", "transport.h"}
    check(names == wanted, f"make install-lib installs {sorted(names)}")
    find(target, "tabia_table_create.3")
    check(not os.path.exists(os.path.join(tree, "build")), "make install-lib built the programs")
    return environment


def by_cmake(outside, target):
    folder = os.path.join(outside.folder, "cmake")
    write(folder, "use.c", USE)
    write(folder, "CMakeLists.txt", CMAKE.format(version=".".join(VERSION.split(".")[:2])))
    cmake = ("cmake", "-S", folder, "-B", folder + "/build", f"-DCMAKE_PREFIX_PATH={target}")
    run(*cmake)
    run("cmake", "--build", folder + "/build")
    for kind in ("tabia", "static"):
        said = run(os.path.join(folder, "build", "use_" + kind))
        check(said == f"{VERSION} 7\n", f"CMake, {kind}: {said}")
    for version in ("0.2", "1.0"):  # a minor version may break before 1.0
        write(folder, "CMakeLists.txt", CMAKE.format(version=version))
        done = subprocess.run(cmake, capture_output=True, text=True, timeout=60)
        check(done.returncode != 0 and "tabia" in done.stderr, f"CMake takes {VERSION} for {version}")


def by_pkg_config(outside, c):
    """From C; from C++, and with the static library, install.py."""
    write(outside.folder + "/pkg-config", "use.c", USE)
    said = outside.run(outside.build(c, outside.folder + "/pkg-config/use.c", "use"))
    check(said == f"{VERSION} 7\n", f"pkg-config: {said}")


def check_recipes():
    """They are of this version and ask meson for what it knows; the patterns of files that the recipe for Conan takes."""
    texts = {}
    for name in ("packaging/vcpkg/vcpkg.json", "packaging/vcpkg/portfile.cmake", "packaging/conan/conanfile.py", "meson_options.txt"):
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            texts[name] = file.read()
    port, steps, recipe, known = texts.values()
    check(json.loads(port)["version"] == VERSION, "vcpkg.json: another version")
    check(f'version = "{VERSION}"' in recipe, "conanfile.py: another version")
    compile(recipe, "conanfile.py", "exec")
    check_version()
    for option in re.findall(r"-D(\w+)=", steps) + re.findall(r'project_options\["(\w+)"\]', recipe):
        check(f"option('{option}'" in known, f"a recipe asks for the option {option}")
    return re.findall(r'"([^"]+)"', recipe[recipe.index("for pattern in ("):recipe.index("copy(self, pattern")])


def check_version():
    """Where else the version stands: docs/releasing.md names these places."""
    pages = sorted(glob.glob(os.path.join(ROOT, "docs", "*.[13]")))
    check(len(pages) >= 4, f"manual pages: only {pages}")
    for path, line in [("debian/changelog", f"tabia ({VERSION}-"), ("CHANGELOG.md", f"## {VERSION}\n"), *((page, f'"tabia {VERSION}"') for page in pages)]:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            head = "".join(file.readlines()[:3])
        check(line in head, f"{path}: another version than {VERSION}")


def check_container():
    """The container is built from a clone, where nothing from the npm registry is: its profile leaves out the package of that."""
    texts = []
    for name in ("packaging/Containerfile", "debian/control", "debian/rules"):
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            texts.append(file.read())
    profile = re.search(r"^ENV DEB_BUILD_PROFILES=(\S+)$", texts[0], re.MULTILINE)
    check(profile, "Containerfile: no build profile, so that it needs web/board_library/bundle.js")
    packages = dict(re.findall(r"^Package: (\S+)\n((?:.+\n)*)", texts[1], re.MULTILINE))
    check(f"Build-Profiles: <!{profile[1]}>" in packages["tabia-serve"], "debian/control: the container's profile builds tabia-serve")
    check(profile[1] in texts[2], "debian/rules knows nothing of the container's profile")
    for package in re.findall(r"/(tabia[a-z-]*)_\*\.deb", texts[0]):
        check("Build-Profiles" not in packages[package], f"Containerfile: {package} is not built")


def copy_patterns(patterns, folder):
    """What fits the patterns, as the function copy of Conan has it: folders below included."""
    for pattern in patterns:
        for path in filter(os.path.isfile, glob.glob(os.path.join(ROOT, pattern.replace("*", "**")), recursive=True)):
            to = os.path.join(folder, os.path.relpath(path, ROOT))
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy(path, to)


def by_subproject(outside, tree):
    folder = os.path.join(outside.folder, "meson")
    write(folder, "use.c", USE)
    write(folder, "meson.build", MESON)
    os.makedirs(folder + "/subprojects")
    os.symlink(tree, folder + "/subprojects/tabia")
    environment = {k: v for k, v in os.environ.items() if k != "PKG_CONFIG_PATH"}
    run("meson", "setup", "--wrap-mode=forcefallback", folder + "/build", folder, env=environment)
    run("meson", "compile", "-C", folder + "/build", env=environment)
    said = run(folder + "/build/use")
    check(said == f"{VERSION} 7\n", f"as a subproject: {said}")


def members(text, begin):
    """The names of a structure's members, in order: of C, of ctypes and of Rust."""
    body = text[text.index(begin) + len(begin):]
    body = body[:re.search(r"\n *\}|\)\]\n", body).start() + 2]
    if "_fields_" in begin:
        return re.findall(r'\("(\w+)", ', body)
    if begin.startswith("pub"):
        return [RUST_NAMES.get(name, name) for name in re.findall(r"pub (\w+):", body)]
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
    return [name for line in re.findall(r"[\w *]+?(\w+(?:\[\d+\])?(?:, \w+)*);", body) for name in re.sub(r"\[\d+\]", "", line).split(", ")]


def check_structures():
    """Those of the examples have the members of the headers, in their order."""
    for structure, (header, name) in STRUCTURES.items():
        texts = {}
        for path in ("include/tabia/" + header, "examples/shared_table.py", "examples/shared_table.rs"):
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                texts[path] = file.read()
        c, python, rust = texts.values()
        wanted = members(c, f"typedef struct {structure} {{")
        check(len(wanted) > 1, f"{structure}: members {wanted}")
        for reported in (members(python, f"class {name}(ctypes.Structure):\n    _fields_ = ["), members(rust, f"pub struct {name} {{")):
            check(reported == wanted, f"{structure}: {reported}, in the header {wanted}")


def by_other_languages(outside):
    """The same program in each language says the same."""
    check_structures()
    environment = {**outside.environment, "TABIA": outside.library}
    example = os.path.join(ROOT, "examples", "shared_table")
    said = {"Python": run(sys.executable, example + ".py", env=environment)}
    if shutil.which("rustc"):
        program = os.path.join(outside.folder, "shared_table_rust")
        run("rustc", "-O", example + ".rs", "-L", "native=" + os.path.dirname(outside.library), "-l", "tabia", "-o", program)
        said["Rust"] = run(program, env=environment)
    if shutil.which("go"):
        folder = os.path.join(outside.folder, "go")
        os.makedirs(folder)
        shutil.copy(example + ".go", folder)
        cache = {"GOCACHE": os.path.join(outside.folder, "go-cache"), "GOFLAGS": "-mod=mod", "GO111MODULE": "off"}
        said["Go"] = run("go", "run", "shared_table.go", cwd=folder, env={**environment, **cache})
    for language, text in said.items():
        check(text == EXPECTED, f"{language}: {text}")
    return list(said)


def main():
    for tool in ("meson", "ninja", "make", "pkg-config"):
        if not shutil.which(tool):
            skip(f"no {tool} on this machine")
    c = next(name for name in ("cc", "clang", "gcc") if shutil.which(name))
    with tempfile.TemporaryDirectory() as folder:
        tree, target = os.path.join(folder, "tree"), os.path.join(folder, "target")
        copy_tree(tree)
        environment = install_lib(tree, target)
        outside = Outside(target, os.path.join(folder, "outside"))
        outside.environment["PKG_CONFIG_SYSROOT_DIR"] = ""
        by_pkg_config(outside, c)
        ways = ["pkg-config", *by_other_languages(outside)]
        if shutil.which("cmake"):
            by_cmake(outside, target)
            ways.append("CMake")
        taken = os.path.join(folder, "taken")
        check_container()
        copy_patterns(check_recipes(), taken)
        by_subproject(outside, taken)
        run("make", "-C", tree, "uninstall", env=environment)
        left = [name for _, _, names in os.walk(target) for name in names]
        check(not left, f"make uninstall leaves {left}")
    print("libtabia by " + ", ".join([*ways, "a subproject of meson"]))


if __name__ == "__main__":
    main()
