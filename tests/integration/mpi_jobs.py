# SPDX-License-Identifier: MIT
"""What the tests of tabia-mpi share: starting jobs under either MPI, finding and killing their ranks."""

import os
import shutil
import signal
import subprocess
import time

from installed import check, skip

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWI = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
TIMEOUT = 240

# Ranks of one machine find each other by shared memory, or by TCP over the loopback.
NETS = {
    ("openmpi", "shm"): [],
    ("openmpi", "tcp"): ["--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo", "--mca", "osc", "pt2pt"],
    ("mpich", "shm"): [],
    ("mpich", "tcp"): ["-env", "UCX_TLS", "tcp,self", "-env", "MPIR_CVAR_NOLOCAL", "1", "-env", "UCX_NET_DEVICES", "lo"],
}
# More ranks than processors: they must give way to each other. Not bound, because other tests run as well.
GENERAL = {"openmpi": ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"], "mpich": []}
# Ports of this program's jobs alone. Open MPI would take the first free one from 1024 on, and what survives of a job whose rank was
# killed would still call at that rank's port, by then perhaps another job's, whose launcher crashes when it reports that.
PORTS = 50
PORT = 10000 + os.getpid() % 400 * PORTS  # below those that the system gives away
SURVIVE = ["--enable-recovery", "--continuous"]  # Open MPI only


def environment():
    """Of a job. The last two for builds with sanitizers: MPI does not give back all that it took, and takes locks of its own in
    two orders. What is ours the unit tests watch."""
    ports = {f"OMPI_MCA_btl_tcp_port_{what}_v{v}": str(n) for what, n in (("min", PORT), ("range", PORTS)) for v in (4, 6)}
    return {**os.environ, **ports, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0",
            "TSAN_OPTIONS": os.environ.get("TSAN_OPTIONS", "") + ":detect_deadlocks=0"}


def skip_without(kind):
    if not shutil.which(f"mpirun.{kind}"):
        skip(f"no mpirun.{kind} on this machine")


def launcher(kind, net="shm", more=()):
    return [f"mpirun.{kind}", *GENERAL[kind], *NETS[kind, net], *more]


def start(command):
    """In a session of its own, so that what is left of it can be killed together."""
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(), start_new_session=True)


def kill(pid):
    """False: it has ended by itself."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def end_all(job):
    """Kills the launcher and whatever it started."""
    for pid in [job.pid, *children(job.pid)]:
        kill(pid)


def end_session(job):
    """Kills what is left of a job whose launcher is gone."""
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.getsid(int(name)) == job.pid:
                os.kill(int(name), signal.SIGKILL)
        except ProcessLookupError:
            pass


def finish(job, timeout=TIMEOUT):
    """Exit status, standard output, standard error."""
    try:
        out, errors = job.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        end_all(job)
        out, errors = job.communicate()
        check(False, f"{job.args}: no end within {timeout} seconds; {out}{errors}")
    return job.returncode, out, errors


def total(out):
    """The number behind `Nodes searched:` in the last line, or None."""
    lines = [line for line in out.splitlines() if line.startswith("Nodes searched: ")]
    return int(lines[-1].split()[-1]) if lines else None


def children(pid):
    """All that descend from a process."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat", encoding="ascii", errors="replace") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError, ValueError):
            continue
        if parent == pid:
            found += [int(entry), *children(int(entry))]
    return found


def ranks_of(job):
    """{rank: process} of a job's ranks, as far as they have started."""
    ranks = {}
    for pid in children(job.pid):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                words = dict(word.split(b"=", 1) for word in file.read().split(b"\0") if b"=" in word)
            with_program = os.path.basename(os.path.realpath(f"/proc/{pid}/exe")).startswith("tabia-mpi")
        except OSError:  # it has ended meanwhile
            continue
        rank = words.get(b"OMPI_COMM_WORLD_RANK", words.get(b"PMI_RANK"))
        if rank is not None and with_program:
            ranks[int(rank)] = pid
    return ranks


def end_ranks(ranks):
    """Kills what is left of a job's ranks, whose launcher may have ended without them."""
    for pid in ranks.values():
        kill(pid)
    are_gone(ranks.values())


def wait_until(condition, job=None, seconds=60):
    """False if the job ended, or the time, before it came true."""
    until = time.monotonic() + seconds
    while not condition():
        if job and job.poll() is not None or time.monotonic() > until:
            return False
        time.sleep(0.002)
    return True


def are_gone(pids):
    return wait_until(lambda: not any(os.path.exists(f"/proc/{pid}/exe") for pid in pids), seconds=20)
