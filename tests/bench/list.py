"""What listing and finding cost a test binary of 10,000 cases, in CPU time of a release build.

nextest asks each binary for its list twice, and then starts it once for every case; so a list is
paid for by every run, and finding one case among all is paid for by every case. The same binary
with one task says what the rollout itself costs; the rest is finding. The project is generated and
built below target/bench-list, or where CARGO_TARGET_DIR says. Exits with 1 when a bar is missed."""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "target" / "bench-list"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", WORK / "target"))
TIMES = 20
# Of each pair of cases: the difference of two processes with a rollout each is noisy.
FINDS = 60
# Two cells and two controls for each task.
CASES = 10_000
TASKS = CASES // 4
LIST_BAR, FIND_BAR = 10, 5

ROSTER = """models:
  - {id: m0, provider: mock, skill: 1, price: free}
  - {id: m1, provider: mock, skill: 1, price: free}
harnesses:
  - {id: h, kind: react}
run: {repeats: 1, seed: 0, baseline: m0+h}
"""
TASK = """id: {id}
name: An urgent ticket, {id}
prompt: |
  Set ticket T-1001 to urgent, and leave the others as they are.
family: urgent
tags: [tickets, short]
environment:
  servers:
    - name: tickets
      command: ${{CROSSBAR_BIN}}
      args: [__serve, tickets]
security:
  forbidden_tools: [tickets.delete_all]
checks:
  - type: tool_called
    tool: tickets.set_priority
demo:
  script:
    - {{tool: tickets.set_priority, args: {{id: T-1001, priority: urgent}}}}
  final: T-1001 is urgent.
"""
MANIFEST = """[package]
name = "{name}"
version = "0.0.0"
edition = "2024"

[dependencies]
{dependencies}
[build-dependencies]
{build}
[[test]]
name = "{name}"
path = "agents.rs"
harness = false
"""
BY_SCRIPT = "crossbar::include_taskpack!();\ncrossbar::main!();\n"
BY_MACRO = 'crossbar::taskpack!("desk");\ncrossbar::main!();\n'
SCRIPT = 'fn main() {\n    crossbar::build::taskpack("desk");\n}\n'
PEER = """fn main() {
    let args = libtest_mimic::Arguments::from_args();
    libtest_mimic::run(&args, trials()).exit()
}

fn trials() -> Vec<libtest_mimic::Trial> {
    let one = |at| libtest_mimic::Trial::test(format!("desk::t{at:05}"), || Ok(()));
    (0..COUNT).map(one).collect()
}
"""


def ours(features=""):
    """The line of a manifest that depends on this clone."""
    path = json.dumps(str(ROOT / "crossbar"))
    return f'crossbar = {{ path = {path}, package = "crossbar-test"{features} }}\n'


def package(name, files, manifest):
    folder = WORK / name
    folder.mkdir(parents=True)
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").write_text("//! Nothing.\n")
    (folder / "Cargo.toml").write_text(MANIFEST.format(name=name, **manifest))
    for path, text in files.items():
        (folder / path).write_text(text)
    return folder


def with_tasks(name, tasks, collected):
    """A package with a pack, by a build script or by the macro alone."""
    files = {"crossbar.yaml": ROSTER, "agents.rs": BY_SCRIPT if collected else BY_MACRO}
    build = ""
    if collected:
        files["build.rs"] = SCRIPT
        build = ours(', default-features = false, features = ["build"]')
    folder = package(name, files, {"dependencies": ours(), "build": build})
    (folder / "desk").mkdir()
    for at in range(tasks):
        task = f"t{at:05d}"
        (folder / "desk" / f"{task}.task.yaml").write_text(TASK.format(id=task))


def peer(name, trials):
    """libtest-mimic with trials that do nothing."""
    text = PEER.replace("COUNT", str(trials))
    package(name, {"agents.rs": text}, {"dependencies": 'libtest-mimic = "0.8"\n', "build": ""})


def build():
    """The test binaries, by name."""
    shutil.rmtree(WORK, ignore_errors=True)
    sizes = {"many": TASKS, "one": 1}
    for size, tasks in sizes.items():
        with_tasks(f"collected-{size}", tasks, True)
        with_tasks(f"embedded-{size}", tasks, False)
    peer("peer-many", CASES)
    peer("peer-none", 0)
    (WORK / "Cargo.toml").write_text('[workspace]\nresolver = "3"\nmembers = ["*-*"]\n')
    shutil.copy(ROOT / "Cargo.lock", WORK / "Cargo.lock")
    cargo = [os.environ.get("CARGO", "cargo"), "test", "--release", "--no-run"]
    cargo += ["--message-format=json-render-diagnostics", "--target-dir", TARGET]
    built = subprocess.run(cargo, cwd=WORK, stdout=subprocess.PIPE)
    if built.returncode != 0:
        sys.exit("error: the build failed")
    messages = [json.loads(line) for line in built.stdout.splitlines()]
    tests = [one for one in messages if one.get("executable") and one["target"]["kind"] == ["test"]]
    return {one["target"]["name"]: one["executable"] for one in tests}


def cpu_ms(binary, name, args, **variables):
    """CPU milliseconds of a start of a binary in its package, with its children's; its output."""
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "TMPDIR")}
    env = kept | {"CARGO_MANIFEST_DIR": str(WORK / name), "CARGO_PKG_NAME": name} | variables
    out = WORK / "stdout"
    with open(out, "wb") as file:
        child = subprocess.Popen(
            [binary, *args], stdout=file, stderr=subprocess.PIPE, cwd=WORK / name, env=env
        )
        problem = child.stderr.read()
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"error: {name} {args}: exit {child.returncode}\n{problem.decode()}")
    return 1000 * (used.ru_utime + used.ru_stime), out.read_text()


def median(values):
    return sorted(values)[len(values) // 2]


def listing(binaries, name, cases, *more):
    """The median cost of a list, which must name so many cases."""
    costs = []
    for _ in range(TIMES):
        cost, text = cpu_ms(binaries[name], name, ["--list", "--format", "terse", *more])
        if len(text.splitlines()) != cases:
            sys.exit(f"error: {name} {more} lists {len(text.splitlines())} cases, not {cases}")
        costs.append(cost)
    return median(costs)


def case(binaries, name, cell, run):
    """The cost of one case of a run of nextest."""
    variables = {"NEXTEST": "1", "NEXTEST_EXECUTION_MODE": "process-per-test"}
    of_case = f"desk::t00000::{cell}"
    cost, text = cpu_ms(
        binaries[name],
        name,
        ["--exact", of_case, "--nocapture"],
        **variables,
        NEXTEST_RUN_ID=run,
    )
    if "1 passed" not in text:
        sys.exit(f"error: {name}: {of_case} did not pass\n{text}")
    return cost


def running(binaries, way):
    """What cases of a run of nextest cost, as its first and as a later one: with one task, with all,
    and the median difference. Both sizes take turns, so that a busy moment meets both."""
    places = {"first": "m0+h", "later": "m1+h"}
    costs = {(which, size): [] for which in places for size in ("one", "many")}
    for at in range(FINDS):
        for size in ("one", "many"):
            shutil.rmtree(WORK / f"{way}-{size}" / "runs", ignore_errors=True)
        for which, cell in places.items():
            for size in ("one", "many"):
                costs[which, size].append(case(binaries, f"{way}-{size}", cell, f"n-{at}"))
    for which in places:
        one, many = costs[which, "one"], costs[which, "many"]
        beyond = median([more - less for less, more in zip(one, many)])
        yield which, median(one), median(many), beyond


ROWS = []


def row(what, crossbar, bar=None, peer=None):
    ROWS.append((what, crossbar, bar, peer))
    print(f"  {what}: {crossbar:.3g} ms", file=sys.stderr, flush=True)


def measure(binaries):
    none = listing(binaries, "peer-none", 0)
    many = listing(binaries, "peer-many", CASES)
    ignored = listing(binaries, "peer-many", 0, "--ignored")
    ways = [("collected", "by a build script"), ("embedded", "by `taskpack!`")]
    for name, way in ways:
        cost = listing(binaries, f"{name}-many", CASES)
        row(f"`--list`, {CASES:,} cases, {way}", cost, LIST_BAR, many)
        cost = listing(binaries, f"{name}-many", 0, "--ignored")
        row("  with `--ignored`, which names none of them", cost, LIST_BAR, ignored)
        row("  `--list` of one task", listing(binaries, f"{name}-one", 4), None, none)
    for name, way in ways:
        for which, one, many, beyond in running(binaries, name):
            # The first process of a run reads and plans every task; the bar is that of all others.
            bar = FIND_BAR if which == "later" else None
            row(f"finding a {which} case of a run of nextest, {way}", beyond, bar)
            row("  the whole process", many)
            row("  the whole process, one task", one)


def print_table():
    print("| what | CPU ms | libtest-mimic | bar | held |")
    print("|---|---|---|---|---|")
    missed = 0
    for what, ours, bar, theirs in ROWS:
        held = "-" if bar is None else "yes" if ours <= bar else "NO"
        missed += held == "NO"
        shown = ["-" if value is None else f"{value:.3g}" for value in (ours, theirs, bar)]
        print(f"| {what} | {shown[0]} | {shown[1]} | {shown[2]} | {held} |")
    return missed


def main():
    binaries = build()
    measure(binaries)
    missed = print_table()
    shutil.rmtree(WORK, ignore_errors=True)
    sys.exit(1 if missed else 0)


main()
