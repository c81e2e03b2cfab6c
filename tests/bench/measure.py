"""Runs the measurements of tests/bench/run.sh and prints them as one table.

    measure.py RELEASE DEBUG INSPECT [--large]

RELEASE and DEBUG are the folders of the built programs, INSPECT is that of Inspect's. Everything
is CPU time (user and system), so that a busy machine disturbs little. Each of the two is measured
at two sizes and what a rollout costs is the slope between them, so that starting up is not in it.
Exits with 1 when a bar is missed."""
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "target" / "bench-work"

SERVER = """
environment:
  kind: local
  servers:
    - {name: tickets, command: "${CROSSBAR_BIN}", args: ["__serve", "tickets"]}
"""
CALL = """
demo:
  script:
    - {tool: tickets.set_priority, args: {id: "T-1001", priority: urgent}}
  final: "T-1001 is urgent."
"""
# Two turns, one tool call, and nothing that asks the server once more.
CALLED = "checks:\n  - {type: tool_called, tool: tickets.set_priority}\n"
# The state after the rollout, read from the server.
STATE = """checks:
  - type: mcp_state
    server: tickets
    tool: get_ticket
    args: {id: "T-1001"}
    expect: {ticket: {priority: urgent}}
"""
TWO_TURNS = "prompt: Set ticket T-1001 to urgent." + SERVER + CALLED + CALL
WITH_STATE = "prompt: Set ticket T-1001 to urgent." + SERVER + STATE + CALL
SINGLE = """prompt: What is 1 + 2?
checks:
  - {type: final_text, value: "3"}
demo: {final: "3"}
"""


def command(*words):
    """Runs a program; what it printed, its CPU seconds with its children's, its peak memory."""
    words = [str(word) for word in words]
    began = time.perf_counter()
    out = WORK / "stdout"
    with open(out, "wb") as file:
        child = subprocess.Popen(words, stdout=file, stderr=subprocess.PIPE, cwd=WORK)
        problem = child.stderr.read()
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    text = out.read_text(errors="replace")
    if child.returncode != 0:
        sys.exit(f"error: {words}: exit {child.returncode}\n{text}\n{problem.decode()}")
    return {
        "text": text,
        "cpu_s": used.ru_utime + used.ru_stime,
        "wall_s": time.perf_counter() - began,
        "peak_kib": used.ru_maxrss,
    }


def line(*words):
    """Runs a program whose last line is JSON."""
    return json.loads(command(*words)["text"].strip().splitlines()[-1])


def project(name, task, tasks, cells, repeats):
    """A folder with a roster and a pack of equal tasks."""
    folder = WORK / name
    pack = folder / "pack"
    pack.mkdir(parents=True)
    for at in range(tasks):
        (pack / f"t{at:05d}.task.yaml").write_text(f"id: t{at:05d}\n{task}")
    models = "".join(
        f"  - {{id: m{at}, provider: mock, skill: 1, price: free}}\n" for at in range(cells)
    )
    harness = "single-shot" if task is SINGLE else "react"
    roster = (
        f"models:\n{models}harnesses:\n  - {{id: h, kind: {harness}}}\n"
        f"packs: [pack]\nrun: {{repeats: {repeats}, seed: 0, baseline: m0+h}}\n"
    )
    (folder / "crossbar.yaml").write_text(roster)
    return folder


def slope(small, large, key):
    """What one more rollout adds."""
    return (large[key] - small[key]) / (large["rollouts"] - small["rollouts"])


def median(values):
    return sorted(values)[len(values) // 2]


def start(*words):
    """Median CPU milliseconds of starting a program."""
    return 1000 * median([command(*words)["cpu_s"] for _ in range(11)])


ROWS = []


def row(what, unit, crossbar, bar=None, inspect=None):
    ROWS.append((what, unit, crossbar, bar, inspect))
    print(f"  {what}: {crossbar:.4g} {unit}", file=sys.stderr, flush=True)


def measure_loop(bench, inspect, large):
    def loop(rollouts, times):
        return line(bench, "loop", WORK / f"loop{rollouts}", rollouts, times)

    few, many, flat = loop(2_000, 1), loop(6_000, 1), loop(100, 20)
    ours, theirs = slope(few, many, "own_s"), slope(*inspect, "own_s")
    row("two-turn loop, tool in the process", "ms", 1000 * ours, 0.2, 1000 * theirs)
    memory = slope(few, many, "peak_kib"), slope(*inspect, "peak_kib")
    row("memory growth of that loop", "KiB", memory[0], 1.0, memory[1])
    stored = slope(few, many, "stored"), slope(*inspect, "stored")
    row("stored by that loop", "B", stored[0], 1200, stored[1])
    sizes = [flat, loop(10_000, 1)] + ([loop(100_000, 1)] if large else [])
    each = [1000 * size["own_s"] / size["rollouts"] / size["times"] for size in sizes]
    row("  a run of 100, opening the record included", "ms", each[0])
    for size, ours in zip(sizes[1:], each[1:]):
        row(f"  a run of {size['rollouts']:,}: flat", "ms", ours, each[0])


def measure_mcp(bench, inspect):
    def session(repeats):
        folder = project(f"mcp{repeats}", TWO_TURNS, 20, 1, repeats)
        return folder, line(bench, "session", folder, "r")

    (_, few), (_, many) = session(20), session(60)
    floor = line(bench, "floor", 400)
    own, theirs = slope(few, many, "own_s"), slope(*inspect, "own_s")
    row("MCP loop beyond the server itself", "ms", 1000 * own, 1.0, 1000 * theirs)
    server, python = slope(few, many, "servers_s"), slope(*inspect, "servers_s")
    row("  its server process (ours: Rust; theirs: Python)", "ms", 1000 * server, None, 1000 * python)
    row("  that server without crossbar", "ms", 1000 * floor["servers_s"] / floor["times"])
    row("  stored", "B", slope(few, many, "stored"), 1200, slope(*inspect, "stored"))
    # From 2,400 rollouts on, since up to there the database fills its cache of 2 MB.
    read = [line(bench, "conclude", session(repeats)[0]) for repeats in (120, 240)]
    if any(one["accepted"] != one["rollouts"] for one in read):
        sys.exit("error: a rollout of the MCP loop was not accepted")
    row("  verdict and all files, afterwards", "ms", 1000 * slope(*read, "own_s"))
    memory = slope(*read, "peak_kib"), slope(*inspect, "peak_kib")
    row("  memory growth of that", "KiB", memory[0], 1.0, memory[1])


def measure_sweep(bench, inspect):
    """No server, so what is left is the sweep itself. Its memory is measured from 2,000 rollouts
    on: up to there the database fills its cache of 2 MB."""

    def session(tasks, repeats):
        folder = project(f"single{tasks}x{repeats}", SINGLE, tasks, 1, repeats)
        return line(bench, "session", folder, "r")

    small, middle, large = session(20, 20), session(20, 100), session(20, 500)
    for got in (small, large):
        each = 1000 * got["own_s"] / got["rollouts"]
        what = f"one turn in a workspace, a sweep of {got['rollouts']:,}"
        row(what, "ms", each, 1000 * small["own_s"] / small["rollouts"] * 1.1)
    memory = slope(middle, large, "peak_kib"), slope(*inspect, "peak_kib")
    row("memory growth of that sweep", "KiB", memory[0], 1.0, memory[1])
    many = session(2_000, 5)
    row("reading and planning 2,000 tasks, a task", "ms", 1000 * many["prepare_s"] / 2_000)


def measure_480(release, debug):
    for name, folder, bar in [("release", release, 3.0), ("debug", debug, 5.0)]:
        place = project(f"all-{name}", WITH_STATE, 24, 4, 5)
        roster = place / "crossbar.yaml"
        got = command(folder / "crossbar", "run", "--config", roster)
        rows = (place / "runs" / "latest" / "rollouts.csv").read_text().splitlines()
        if len(rows) != 481:
            sys.exit(f"error: {len(rows) - 1} rollouts instead of 480:\n{got['text']}")
        what = f"480 rollouts, `crossbar run`, own workspace and server ({name})"
        row(what, "CPU-s", got["cpu_s"], bar)
        row("  wall time", "s", got["wall_s"])


def measure_start(release, debug, inspect):
    theirs = 1000 * median([command(inspect / "inspect", "--version")["cpu_s"] for _ in range(3)])
    row("start: `crossbar --version`", "ms", start(release / "crossbar", "--version"), 50, theirs)
    row("  the dev build", "ms", start(debug / "crossbar", "--version"), 50)
    tests = sorted((debug / "deps").glob("agents-*"), key=lambda path: path.stat().st_mtime)
    binary = [path for path in tests if os.access(path, os.X_OK) and not path.suffix][-1]
    os.environ["CARGO_MANIFEST_DIR"] = str(ROOT / "examples" / "first-test")
    row("  a test binary, `--list` (dev build)", "ms", start(binary, "--list"), 50)


def measure_statistics(bench):
    got = line(bench, "statistics", 10)
    each = got["own_s"] / got["times"]
    row("statistics of 40 cells x 500 tasks x 5 repeats", "CPU-s", each, 0.2)


def number(value):
    """Three figures, and no powers of ten."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def print_table():
    print("| what | unit | crossbar | Inspect | ratio | bar | held |")
    print("|---|---|---|---|---|---|---|")
    missed = 0
    for what, unit, ours, bar, theirs in ROWS:
        ratio = f"{theirs / ours:.0f}x" if theirs and ours > 0.01 else "-"
        held = "-" if bar is None else "yes" if ours <= bar else "NO"
        missed += held == "NO"
        shown = ["-" if value is None else number(value) for value in (ours, theirs, bar)]
        print(f"| {what} | {unit} | {shown[0]} | {shown[1]} | {ratio} | {shown[2]} | {held} |")
    return missed


def main():
    release, debug, inspect = (Path(os.path.abspath(word)) for word in sys.argv[1:4])
    bench = release / "crossbar-bench"
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    began = time.perf_counter()

    def peer(kind, samples):
        script = HERE / "inspect_bench.py"
        return line(inspect / "python", script, kind, samples, WORK / "logs")

    react = peer("react", 100), peer("react", 400)
    measure_loop(bench, react, "--large" in sys.argv)
    measure_mcp(bench, (peer("mcp", 30), peer("mcp", 120)))
    measure_sweep(bench, react)
    measure_480(release, debug)
    measure_start(release, debug, inspect)
    measure_statistics(bench)
    missed = print_table()
    print(f"\nmeasured in {time.perf_counter() - began:.0f} s", file=sys.stderr)
    shutil.rmtree(WORK, ignore_errors=True)
    sys.exit(1 if missed else 0)


main()
