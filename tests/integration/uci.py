# SPDX-License-Identifier: MIT
"""
Conversations with the engine over pipes, as clients hold them. Every answer must come within a hard time-out; none is timed.

    uci.py TABIA
"""

import os
import pty
import resource
import subprocess
import sys

from uci_engine import TIMEOUT, Engine


def finds_mates(e):
    lines = e.ask("bestmove", "position fen r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "go depth 4")
    assert lines[-1].startswith("bestmove h5f7"), lines[-1]
    assert any("score mate 1 " in line for line in lines)
    e.send("position fen 6k1/5ppp/8/8/8/8/8/K2R3R w - - 0 1", "go mate 1")
    assert e.best() == "d1d8"
    e.send("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2")  # Morphy's: a sacrifice, and zugzwang
    assert "info depth 3 score mate 2 " in e.until("bestmove a1a6 ponder ")[-2]
    e.send("ucinewgame", "position fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "go mate 1 depth 9")  # there is none in one, but one in two
    lines = e.until("bestmove")
    assert "info string there is no mate in 1" in lines, lines
    assert any(line.startswith("info depth 9 ") and "score mate 2 " in line for line in lines), lines


def searches_only_what_is_asked(e):
    """The moves end at the next keyword; one that is not legal is named, and leaves the others. Without any it mates at once."""
    for limits, best, named in (("depth 5 searchmoves h1h2", "h1h2", ()), ("searchmoves H1H2 depth 2", "h1h2", ()),
                                ("searchmoves h1h9 h1h2 depth 2", "h1h2", ("h1h9",)), ("nodes 9 searchmoves h1h2 h1h2 g8h8", "h1h2", ("g8h8",)),
                                ("searchmoves h1h2 searchmoves x depth 1", "h1h2", ("x",)), ("searchmoves depth 3", "d1d8", (None,)),
                                ("searchmoves e1e3 depth 3", "d1d8", ("e1e3", None))):
        lines = e.ask("bestmove", "position fen 6k1/5ppp/8/8/8/8/8/K2R3R w - - 0 1", f"go {limits}")
        assert lines[-1].split()[1] == best, (limits, lines)
        strings = [line for line in lines if line.startswith("info string go: ")]
        assert strings == [f"info string go: searchmoves: '{x}' is not a legal move, and is left out" if x else
                           "info string go: searchmoves: no legal move is named, so all are searched" for x in named], (limits, strings)


def counts(e):
    assert e.ask("Nodes searched", "position startpos", "go perft 4")[-1] == "Nodes searched: 197281"
    lines = e.ask("Nodes searched", "setoption name Threads value 2", "go perft 5")
    assert lines[0] == "a2a3: 181046" and len(lines) == 22 and lines[-1] == "Nodes searched: 4865609", lines
    e.send("setoption name Threads value 1", "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go perft 3")
    assert e.until("Nodes searched")[-1] == "Nodes searched: 0"


def stops_counts_and_benches(e):
    """All would last for days."""
    for long, answer in (("go perft 20", "info string go perft: stopped after"), ("bench 40", "info string bench: stopped"),
                         ("genfens 1000000 seed 1 book None", "info string genfens: stopped")):
        e.ask(answer, "position startpos", long, "stop")
        e.send("go perft 2")  # and the stop is forgotten
        e.until("Nodes searched: 400")


def answers_before_its_input_ends(binary):
    """What is counted is answered whole; quit cuts it."""
    for line, answer in (("go perft 5", "Nodes searched: 4865609\n"), ("bench 5", " nps\n")):
        done = subprocess.run([binary], input=line, capture_output=True, text=True, timeout=TIMEOUT)
        assert done.returncode == 0 and done.stdout.endswith(answer), (line, done.stdout[-200:])
    done = subprocess.run([binary], input="genfens 5 seed 1 book None", capture_output=True, text=True, timeout=TIMEOUT)
    assert done.stdout.count("info string genfens ") == 5, done.stdout
    for long in ("go perft 20", "bench 40", "genfens 1000000 seed 1 book None"):
        e = Engine(binary)
        e.send("position startpos", long)
        e.end()


def last_report(said):
    """The words of the last line with a score: the answer's."""
    return [line for line in said.splitlines() if " score " in line][-1].split()


def ends_with_its_input(binary):
    """A search comes to its limit; one that has none or may never reach it ends; depth 1 is finished unless it is endless."""
    def ask(text):
        done = subprocess.run([binary], input=text, capture_output=True, text=True, timeout=TIMEOUT)
        assert done.returncode == 0, (text, done.returncode)
        return done.stdout

    for text in ("position startpos\ngo depth 11\n", "position startpos\ngo depth 11"):
        assert last_report(ask(text))[:3] == ["info", "depth", "11"], text
    queens = "fen 1q1q1q1k/q1q1q1q1/1q1q1q1q/8/8/Q1Q1Q1Q1/1Q1Q1Q1Q/K1Q1Q1Q1 w - - 0 1"  # depth 1 takes 1,698,073 nodes
    for text, least, most in (("startpos\ngo nodes 30000", 30000, 30100), (queens + "\ngo nodes 50", 50, 21000)):
        report = last_report(ask(f"position {text}\n"))
        assert least <= int(report[report.index("nodes") + 1]) <= most, report
    mate = ask("position fen 6k1/5ppp/8/8/8/8/8/K2R3R w - - 0 1\ngo mate 1\n")
    assert "score mate 1 " in mate and mate.endswith("bestmove d1d8\n"), mate
    for text in ("go movetime 30", "go wtime 300 btime 300", "go infinite", "go", "go ponder wtime 100 btime 100", "go depth 300", "go mate 30",
                 "go depth 300\nsetoption name Hash value 32", "go mate 30\nucinewgame"):
        said = ask(text + "\n")
        report = last_report(said)
        assert int(report[report.index("nodes") + 1]) >= 20 and said.count("bestmove") == 1, (text, said)
    assert ask("position startpos\n") == "" == ask("")


def quits_while_it_searches(binary):
    """It does not come to the depth, which would last for days, but to one; the table of 1 GiB is made and never touched."""
    for line in ("go depth 100", "go nodes 1000000000000", "go infinite", "go depth 60\nsetoption name Hash value 1024", "go mate 30\nucinewgame",
                 "go nodes 1000000000000\nposition startpos"):
        done = subprocess.run([binary], input=f"position startpos\n{line}\nquit\n", capture_output=True, text=True, timeout=TIMEOUT)
        report = last_report(done.stdout)
        assert done.returncode == 0 and int(report[report.index("nodes") + 1]) >= 20, (line, done.stdout)
        assert done.stdout.splitlines()[-1].startswith("bestmove "), (line, done.stdout)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 600 << 10


def keeps_what_its_help_promises(binary):
    """The examples with a depth come to it, typed as they stand."""
    said = subprocess.run([binary, "uci", "--help"], capture_output=True, text=True, timeout=TIMEOUT).stdout
    examples = [line.strip() for line in said.split("Examples\n")[1].splitlines() if "go depth " in line]
    assert examples, said
    for example in examples:
        depth = example.split("go depth ")[1].split("\\")[0].split('"')[0]
        here = dict(os.environ, PATH=os.path.dirname(os.path.abspath(binary)) + ":" + os.environ["PATH"])
        done = subprocess.run(["sh", "-c", example], capture_output=True, text=True, timeout=TIMEOUT, env=here)
        assert last_report(done.stdout)[:3] == ["info", "depth", depth], (example, done.stdout[-300:], done.stderr)


def shows_the_position(e):
    lines = e.ask("Key:", "position startpos moves e2e4", "d")
    assert "4  . . . . P . . ." in lines and "8  r n b q k b n r" in lines and "   a b c d e f g h" in lines, lines


def evaluates_for_white(e):
    """Whoever is to move."""
    for turn in "wb":
        line = e.ask("Evaluation: ", f"position fen 4k3/pppq4/8/8/8/8/PPP5/4K3 {turn} - - 0 1", "eval")[-1]
        assert float(line.split()[1]) < -3 and line.endswith("(for white, by the network)"), line


def tells_what_it_got(e):
    """The table's size and pages, threads and kernel: once after each change."""
    def reported(*lines):
        return [line for line in e.ask("bestmove", *lines, "position startpos", "go depth 1") if line.startswith("info string Hash ")]

    first = reported("setoption name Hash value 3", "setoption name Threads value 2")
    assert len(first) == 1 and first[0].startswith("info string Hash 3 MiB in pages of ") and ", Threads 2 on " in first[0], first
    assert reported() == [] and reported("setoption name MultiPV value 1") == []
    assert len(reported("setoption name Hash value 16", "setoption name Threads value 1")) == 1


def leaves_out_endless_lines(e):
    """A line of up to 1 MiB is a command like any other; a longer one is reported and has no effect, whatever it begins with."""
    limit = 1 << 20
    lines = e.ask("Key:", "position startpos moves e2e4" + " " * limit + "e7e5", "d")
    assert f"info string a line of more than {limit - 1} bytes is left out" in lines, lines
    e.send("position startpos moves e2e4".ljust(limit - 2), "d")
    assert any(line.startswith("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b") for line in e.until("Key:"))
    assert e.ask("readyok", "stop" * limit, "isready")[-2].startswith("info string a line of more than")
    e.send(*(f"{words} {'x' * 5000}" for words in ("setoption name", "setoption name Hash value", "position fen", "go perft 1", "d")))


def mates_before_the_draw(e):
    """Mate on the hundredth ply counts; a draw one ply earlier would be the rule's."""
    lines = e.ask("bestmove", "position fen 7k/8/6K1/8/8/8/8/R7 w - - 99 100", "go depth 6")
    assert lines[-1].startswith("bestmove a1a8") and any("mate 1" in line for line in lines), lines[-2:]
    assert any("score cp 0 " in line for line in e.ask("bestmove", "position fen k7/8/2K5/8/8/8/8/7R w - - 99 100", "go depth 6")[-2:])


def makes_openings(binary):
    """As test farms ask: lines as arguments, the same openings for the same seed, each of them a position to play."""
    def ask(seed):
        said = subprocess.run([binary, f"genfens 12 seed {seed} book None", "quit"], capture_output=True, text=True, timeout=TIMEOUT)
        assert said.returncode == 0
        return [line[len("info string genfens "):] for line in said.stdout.splitlines()]

    said = subprocess.run([binary, "go depth 9", "quit"], capture_output=True, text=True, timeout=TIMEOUT).stdout
    assert " depth 9 " in said and "bestmove" in said.splitlines()[-1], said  # a line is done before the next
    fens = ask(7)
    assert len(set(fens)) == 12 and fens == ask(7) and fens != ask(8), fens
    assert {fen.split()[1] for fen in fens} == {"w", "b"}
    e = Engine(binary)
    for fen in fens:
        lines = e.ask("bestmove", f"position fen {fen}", "go nodes 2000")
        assert lines[-1] != "bestmove (none)" and abs(int(lines[-2].split(" score cp ")[1].split()[0])) < 300, (fen, lines)
    e.end()


def makes_the_same_openings(e):
    """Whatever the options are, and what is learnt stays."""
    def openings():
        return [line for line in e.ask("readyok", "genfens 4 seed 3 book None", "isready") if line.startswith("info string genfens ")]

    def nodes():
        return int(e.ask("bestmove", "position startpos moves e2e4", "go depth 9")[-2].split(" nodes ")[1].split()[0])

    first = openings()
    assert len(first) == 4, first
    for option, value, usual in (("Threads", "2", "1"), ("PathKey", "off", "fifty-count"), ("Hash", "1", "16")):
        e.send(f"setoption name {option} value {value}")
        assert openings() == first, option
        e.send(f"setoption name {option} value {usual}")
    for line in ("genfens 2 seed 3 book None", "bench 3"):
        e.send("ucinewgame")
        alone = nodes(), nodes()
        e.send("ucinewgame")
        before = nodes()
        e.send(line)
        assert (before, nodes()) == alone and alone[0] != alone[1], line


def takes_a_path_key_between(e):
    """A PathKey that is set behind the position counts for that position as well."""
    late, key = "position fen 8/8/8/1p4k1/1Pp3p1/2P3P1/3K4/8 w - - 90 80", "setoption name PathKey value fifty-count"

    def nodes_of_the_second(*lines):
        e.ask("bestmove", "setoption name PathKey value off", "ucinewgame", late.replace(" 90 ", " 0 "), "go depth 9")
        return int(e.ask("bestmove", *lines, "go depth 11")[-2].split(" nodes ")[1].split()[0])

    assert nodes_of_the_second(late, key) == nodes_of_the_second(key, late) != nodes_of_the_second(late)
    e.send(key, "ucinewgame")


def names_what_is_no_number(e):
    for line, reported in (("go perft", "go: perft: a number is missing, so 1 is taken"), ("bench x", "bench: 'x' is not a number from 1 to 40"),
                       ("genfens 1 seed q", "genfens: seed: 'q' is not a number from 0 to 9223372036854775807, so 0 is taken"),
                       ("position startpos m e2e4", "position: what is 'm'?"),
                       ("setoption name Hsh value 2", "there is no option 'Hsh'; did you mean 'Hash'? uci lists them"),
                       ("setoption name Clear Hsh", "there is no option 'Clear Hsh'; did you mean 'Clear Hash'? uci lists them"),
                       ("setoption name SMPMode value lasy", "SMPMode: 'lasy' is none of lazy, split"),
                       ("setoption name Replacement value two-tier", "Replacement: 'two-tier' is none of always, depth-and-age"),
                       ("setoption", "setoption: name NAME [value VALUE] is missing")):
        e.send(line)
        lines = e.ready()
        assert f"info string {reported}" in lines, (line, lines)
    for limits in ("depth 1 winc 0", "movetime 20.5", "wtime 0 btime 0", "movestogo 0", "nodes 18446744073709551615 depth 1", "depth 1000 nodes 1"):
        assert not any("number" in line for line in e.ask("bestmove", f"go {limits}")), limits


def lists_its_commands(e):
    e.send("help", "hlep", "pogo")
    lines = e.ready()
    for name in ("position", "go perft", "eval", "help", "quit"):
        assert any(line.startswith(f"  {name} ") for line in lines), (name, lines)
    assert "info string unknown command 'hlep'; did you mean 'help'? help lists them" in lines, lines
    assert "info string unknown command 'pogo'; help lists them" in lines, lines


def joins_arguments(binary):
    """A command whose words are arguments is one line; other arguments are a line each."""
    for words, wanted in (("go depth 3", "bestmove "), ("go perft 3", "Nodes searched: 8902"), ("d", "Key: "),
                          ("uci go perft 2", "Nodes searched: 400"), ("isready isready", "readyok")):
        done = subprocess.run([binary, *words.split()], capture_output=True, text=True, timeout=TIMEOUT, stdin=subprocess.DEVNULL)
        assert done.returncode == 0 and not done.stderr, (words, done)
        assert done.stdout.splitlines()[-1].startswith(wanted), (words, done.stdout)
    assert done.stdout == "readyok\nreadyok\n", done.stdout


def speaks_first_on_a_terminal(binary):
    """And to no client, which would not know what it means."""
    ours, its = pty.openpty()
    process = subprocess.Popen([binary], stdin=its, stdout=subprocess.PIPE, text=True)
    os.write(ours, b"quit\n")
    said = process.communicate(timeout=TIMEOUT)[0]
    os.close(its)
    os.close(ours)
    assert said.startswith("Tabia ") and "help lists the commands" in said, said
    said = subprocess.run([binary], input="isready\nquit\n", capture_output=True, text=True, timeout=TIMEOUT).stdout
    assert said == "readyok\n", said


CONVERSATIONS = (lists_its_commands, names_what_is_no_number, finds_mates, searches_only_what_is_asked,
                 counts, stops_counts_and_benches, mates_before_the_draw,
                 makes_the_same_openings, takes_a_path_key_between, shows_the_position, evaluates_for_white, tells_what_it_got,
                 leaves_out_endless_lines)


def main(binary):
    e = Engine(binary)
    for talk in CONVERSATIONS:
        print(talk.__name__, flush=True)
        talk(e)
        e.ready()
    e.end()
    for test in (makes_openings, joins_arguments, speaks_first_on_a_terminal, answers_before_its_input_ends, ends_with_its_input,
                 quits_while_it_searches, keeps_what_its_help_promises):
        test(binary)


if __name__ == "__main__":
    main(sys.argv[1])
