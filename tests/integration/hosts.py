#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Test hosts are what they should be: as many as asked for, as slow as asked for, and gone when their run ends, however it ends.
Delays are tested as lower bounds only: a busy machine adds to them.

Then tabia-mpi on them: exact whatever the delay, and a run whose host loses its power goes on from its ledger on fewer hosts.

Usage: hosts.py MPI PING_RANKS HOSTS_DELAY [TABIA_MPI]      MPI: openmpi or mpich, with which the programs were built
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

MPI, PING_RANKS = sys.argv[1:3]
os.environ["HOSTS_DELAY"] = sys.argv[3]
TABIA_MPI = sys.argv[4] if len(sys.argv) > 4 else None
TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/hosts")
SKIPPED, WRONG = 77, 2
HOSTS = 4


def fail(text):
    sys.exit("hosts: " + text)


def start(*words, **more):
    return subprocess.Popen([TOOL, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def ended(process, seconds=120):
    """Its status and what it wrote."""
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        fail(f"{process.args} did not end: {process.communicate()}")
    return process.returncode, out, err


def lines_of(process, count):
    """Its first so many lines; then it must end well."""
    lines = []
    while len(lines) < count:
        line = process.stdout.readline()
        if not line:
            fail(f"{len(lines)} lines instead of {count}, status {process.wait()}: {process.stderr.read()}")
        lines.append(line)
    status, _, err = ended(process, 60)
    if status:
        fail(f"status {status}: {err}")
    return lines


def network_is_as_slow_as_asked(delay_us):
    lines = lines_of(start("run", "--mpi", MPI, "--hosts", str(HOSTS), "--delay", f"{delay_us}us" if delay_us else "0",
                           "--", PING_RANKS), HOSTS - 1)
    found = sorted(line.split() for line in lines)
    print(f"delay {delay_us} us: there and back", " ".join(f"{host} {us} us" for _, host, us in found), flush=True)
    if [host for _, host, _ in found] != [f"host{k + 2}" for k in range(HOSTS - 1)]:
        fail(f"ranks are not one on each host: {found}")
    for rank, _, us in found:
        if float(us) < 2 * delay_us:
            fail(f"rank {rank} answered after {us} us, sooner than a network of {delay_us} us can")


SEND = """
import socket, sys, time
mine = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
mine.bind(("", 5000))
count, size = int(sys.argv[1]), int(sys.argv[2])
mine.settimeout(0.1)
while True:  # until the other one is there
    mine.sendto(b"hello", ("host2", 5000))
    try:
        mine.recv(2000)
        break
    except OSError:
        pass
mine.settimeout(5)
begin = time.monotonic()
for i in range(count):
    mine.sendto(i.to_bytes(4, "little") + bytes(size - 4), ("host2", 5000))
    if size < 100: time.sleep(0.0002)
came = []
try:
    while len(came) < count:
        data = mine.recv(2000)
        if data != b"hello":
            came.append(int.from_bytes(data[:4], "little"))
            last = time.monotonic()
except TimeoutError:
    pass
print(len(came), came == sorted(came), last - begin)
"""
ECHO = """
import socket
mine = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
mine.bind(("", 5000))
while True:
    data, sender = mine.recvfrom(2000)
    mine.sendto(data, sender)
"""


def datagrams(count, size, *options, hosts=2, before=":"):
    """So many, sent to host2 and back: how many came, in order?, seconds until the last. Before, that command is run."""
    script = f'{before}; "{TOOL}" on host2 {sys.executable} -c "$0" & {sys.executable} -c "$1" "$2" "$3"'
    status, out, err = ended(start("shell", "--hosts", str(hosts), *options, "--", "sh", "-c", script, ECHO, SEND, str(count), str(size)))
    if status:
        fail(f"status {status}: {err}")
    came, ordered, seconds = out.split()
    return int(came), ordered == "True", float(seconds)


def line_loses_and_shakes_and_slows():
    came, ordered, _ = datagrams(200, 40, "--jitter", "3ms")
    if came != 200 or not ordered:
        fail(f"with jitter, {came} of 200 datagrams came, in order: {ordered}")
    came, ordered, _ = datagrams(200, 40, "--loss", "20%")
    if not 80 < came < 180 or not ordered:  # 128 expected, deviation 7
        fail(f"of 200 datagrams {came} came through two losses of 20 %, in order: {ordered}")
    came, _, seconds = datagrams(20, 1000, "--rate", "1mbit")
    if not came or seconds < came * 8.2e-3:  # 1028 bytes each take 8.2 ms; what would wait longer than 50 ms is dropped
        fail(f"{came} datagrams of 1000 bytes came in {seconds} s at 1 Mbit/s")


# ---- ends ----

def marked(mark):
    """The processes with that word in their command lines."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if mark.encode() in file.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


def wait_until(condition, what, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            fail(what)
        time.sleep(0.05)


def outside():
    """What a run must leave as it was."""
    spaces = os.listdir("/run/netns") if os.path.isdir("/run/netns") else []
    with open("/proc/net/dev", encoding="ascii") as file:
        devices = [line.split(":")[0] for line in file if ":" in line]
    with open("/proc/mounts", encoding="ascii") as file:
        mounts = [line for line in file if "/run/hosts" in line or "netns" in line]
    return sorted(spaces), sorted(devices), mounts


def ends_by(number, of_all, stubborn):
    """A run that gets that signal: alone, or as Ctrl-C does it, with all that belongs to its terminal."""
    mark = f"31415.{os.getpid()}{number}"
    sleeper = f"trap '' TERM INT; sleep {mark}; sleep {mark}" if stubborn else f"sleep {mark} & wait"
    script = f'"{TOOL}" on 2 sleep {mark} & {sleeper}'
    process = start("shell", "--hosts", "2", "--delay", "1ms", "--", "sh", "-c", script, start_new_session=True)
    wait_until(lambda: len(marked(f"sleep\0{mark}")) == 2, "the hosts did not start")
    if of_all:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    ended(process, 30)
    wait_until(lambda: not marked(mark), f"signal {number} left processes {marked(mark)}")
    if process.returncode == 0:
        fail(f"status 0 after signal {number}")


# ---- tabia-mpi ----

def perft_is_exact(delay_us):
    """4 hosts count the start position, 5 plies. Its last line is the result."""
    process = start("run", "--mpi", MPI, "--hosts", str(HOSTS), "--delay", f"{delay_us}us" if delay_us else "0",
                    "--", TABIA_MPI, "perft", "5", "--quiet")
    for line in process.stdout:
        if line.startswith("Nodes searched:"):
            break
    else:
        fail(f"perft at {delay_us} us: status {process.wait()}: {process.stderr.read()}")
    if line.split() != ["Nodes", "searched:", "4865609"]:
        fail(f"perft at {delay_us} us: {line}")
    print(f"delay {delay_us} us: perft 5 is exact", flush=True)
    lines_of(process, 0)


def host_loses_its_power():
    """While 3 hosts count 7 plies, one dies; two others go on with the ledger. Open MPI ends the first run by itself."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = os.path.join(folder, "ledger")
        count = [TABIA_MPI, "perft", "7", "--hash", "1M", "--quiet", "--ledger", ledger, "--rank-timeout", "5"]
        script = (f'$HOSTS_MPIRUN "$@" & while [ "$(wc -c <{ledger} 2>/dev/null || echo 0)" -lt 4000 ]; do sleep 0.02; done; '
                  f'"{TOOL}" kill host3; wait $!')
        status, out, err = ended(start("shell", "--hosts", "3", "--", "sh", "-c", script, "sh", *count))
        if status == 0 and "3195901860" not in out:
            fail(f"a host died, and the result is {out!r} {err}")
        before = os.path.getsize(ledger)
        status, out, err = ended(start("run", "--hosts", "2", "--", *count))
        if status or out.split()[-1] != "3195901860":
            fail(f"after a host died: status {status}, {out!r}, {err}")
        print(f"a host died with {before} bytes in the ledger; two others counted the rest, exactly", flush=True)


def host_can_be_killed():
    mark = f"2718.{os.getpid()}"
    script = f'"{TOOL}" on host2 sleep {mark} & sleep 1; "{TOOL}" kill 2; wait $!; echo $?'
    status, out, err = ended(start("shell", "--hosts", "2", "--", "sh", "-c", script))
    if status or out.split() != ["137"]:
        fail(f"a killed host: status {status}, {out!r}, {err}")


def others_stay_connected():
    """What carries the packets of the living is on no host."""
    came, ordered, _ = datagrams(20, 40, "--delay", "100us", hosts=3, before=f'"{TOOL}" kill host3; "{TOOL}" kill host3')
    if came != 20 or not ordered:
        fail(f"after a third host was killed {came} of 20 datagrams came, in order: {ordered}")


def wrong_lines_are_refused():
    for words in (["run"], ["run", "--hosts", "0", "--", "true"], ["run", "--hosts", "61", "--", "true"], ["walk"],
                  ["shell", "--delay", "5", "--", "true"], ["shell", "--loss", "100", "--", "true"], ["on", "2"],
                  ["shell", "--rate", "3", "--", "true"], ["run", "--mpi", "lam", "--", "true"]):
        status, out, err = ended(start(*words))
        if status != WRONG or out or not err:
            fail(f"{words}: status {status} instead of {WRONG}; {out!r} {err!r}")


def main():
    wrong_lines_are_refused()
    status, out, err = ended(start("shell", "--hosts", "2", "--delay", "1us", "--", "hostname"))
    if status == SKIPPED:
        print(err)
        sys.exit(SKIPPED)
    if (status, out) != (0, "host1\n"):
        fail(f"hostname: status {status}, {out!r}, {err!r}")
    if ended(start("shell", "--", "sh", "-c", "exit 5"))[0] != 5:
        fail("the command's status was lost")
    before = outside()
    for delay_us in (0, 50, 500, 5000) if MPI == "openmpi" else (0, 5000):
        network_is_as_slow_as_asked(delay_us)
        if TABIA_MPI and delay_us in (0, 5000):
            perft_is_exact(delay_us)
    if MPI == "openmpi":  # once is enough
        line_loses_and_shakes_and_slows()
        host_can_be_killed()
        others_stay_connected()
        if TABIA_MPI:
            host_loses_its_power()
        ends_by(signal.SIGINT, of_all=True, stubborn=False)
        ends_by(signal.SIGTERM, of_all=False, stubborn=False)
        ends_by(signal.SIGTERM, of_all=False, stubborn=True)
        ends_by(signal.SIGHUP, of_all=False, stubborn=False)
        ends_by(signal.SIGKILL, of_all=False, stubborn=True)
    if outside() != before:
        fail(f"left behind: {outside()}, before {before}")


main()
