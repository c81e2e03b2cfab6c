#!/usr/bin/env python3
"""Spoils the source one line at a time and expects the named test to turn red.

Rows come from tests/rows.tsv. All work is done in a copy of the tree: first every named test must
pass there, then each row is applied alone, and its test must fail. A sabotage that does not compile
proves nothing and counts as a failure of this script, as does one that no test notices.

    tests/sabotage.py --count 10 --seed "$(git rev-parse HEAD)"
    tests/sabotage.py --row U-01 --row U-02
    tests/sabotage.py --all
    tests/sabotage.py --check        (reads only: does each row point at one place and one test?)

What makes it quick: the copy is not optimised, has no debug information and is built incrementally,
so a spoiled line costs seconds; crates of others are taken over from the clone's own build folder.
The build folder of the sabotages must not be the clone's: programs would overwrite each other.
Nothing is fetched; `cargo fetch` has to have been run.
"""

import argparse
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, namedtuple
from pathlib import Path

HEAD = ["row", "test", "file", "old", "new"]
LEFT_OUT = {"target", ".git", "runs", "node_modules", ".venv", "__pycache__"}
RESULT = re.compile(r"test result: \w+\. (\d+) passed; (\d+) failed")
LISTED = re.compile(r"^(\S+): test$", re.MULTILINE)
PASSED = re.compile(r"^test (\S+) (?:- should panic )?\.\.\. ok$", re.MULTILINE)

# The optimised build of the library would cost half a minute for each sabotage.
PROFILE = re.compile(r"(\[profile\.dev\.package\.crossbar-test\]\n)opt-level = \d")
PLAIN = r"\1opt-level = 0\ndebug = 0\n\n[profile.dev.package.crossbar-suites]\ndebug = 0"

Row = namedtuple("Row", HEAD)


def main():
    options = arguments()
    rows = select(read(options.root / "tests/rows.tsv"), options)
    if not rows:
        sys.exit("error: no row selected")
    began = time.monotonic()
    tree = options.target_dir / "tree"
    take_over_crates(options)
    bring_up_to_date(options.root, tree)
    problems = [problem for row in rows if (problem := misplaced(row, tree))]
    problems += unknown_tests(rows, tree, options) if options.check else []
    if problems:
        sys.exit("error: " + "\nerror: ".join(problems))
    if options.check:
        return print(f"{len(rows)} rows point at one place and one test each")
    print(f"{len(rows)} sabotages in {tree}", flush=True)
    sound(rows, tree, options)
    print(f"all their tests pass without them ({time.monotonic() - began:.0f} s)", flush=True)
    results = []
    for row in rows:
        results.append(judge(row, tree, options))
        held, words, seconds = results[-1]
        print(f"{'ok ' if held else 'BAD'}  {row.row:<8} {seconds:5.1f} s  {words:<12}  {row.test}", flush=True)
    bad = sum(not held for held, _, _ in results)
    print(f"{len(results) - bad} of {len(results)} sabotages were caught, in {time.monotonic() - began:.0f} s")
    sys.exit(1 if bad else 0)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10, help="how many rows (default 10)")
    parser.add_argument("--seed", default="", help="which rows: the same text picks the same ones")
    parser.add_argument("--row", action="append", default=[], help="a row by its id, instead of a pick")
    parser.add_argument("--suite", action="append", default=[], help="every row of a suite, instead of a pick")
    parser.add_argument("--all", action="store_true", help="every row")
    parser.add_argument("--check", action="store_true", help="spoil nothing: look every row up")
    parser.add_argument("--target-dir", type=Path, help="build folder (default: target/sabotage)")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent, help="the clone")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one build or test (default 600)")
    options = parser.parse_args()
    options.root = options.root.resolve()
    options.target_dir = (options.target_dir or options.root / "target/sabotage").resolve()
    return options


def read(path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    if not lines or lines[0].split("\t") != HEAD:
        sys.exit(f"error: {path}: the head must be {HEAD}")
    rows = [line.split("\t") for line in lines[1:]]
    for row in rows:
        if len(row) != len(HEAD):
            sys.exit(f"error: {path}: not five cells: {row}")
    return [Row(*row) for row in rows]


def select(rows, options):
    if options.row or options.suite:
        missing = (set(options.row) - {row.row for row in rows}) | (set(options.suite) - {suite(row) for row in rows})
        if missing:
            sys.exit(f"error: no such row or suite: {', '.join(sorted(missing))}")
        return [row for row in rows if row.row in options.row or suite(row) in options.suite]
    if options.all or options.check:
        return rows
    rank = lambda row: hashlib.sha256("\0".join([options.seed, *row]).encode()).digest()
    return sorted(sorted(rows, key=rank)[: options.count], key=lambda row: row.test)


def take_over_crates(options):
    """Copies what the clone has built of other people's crates, once. Cargo tells what still fits."""
    ours = re.compile(r"(lib)?(crossbar|cargo.crossbar|first.test)")
    kinds = {".rlib", ".rmeta", ".so", ".dylib", ".d"}
    source, goal = options.root / "target/debug", options.target_dir / "debug"
    if goal.exists() or not source.is_dir():
        return
    for part in ["build", ".fingerprint", "deps"]:
        (goal / part).mkdir(parents=True)
        for entry in os.scandir(source / part):
            if ours.match(entry.name) or (part == "deps" and Path(entry.name).suffix not in kinds):
                continue
            try:
                copy = shutil.copytree if entry.is_dir() else shutil.copy2
                copy(entry.path, goal / part / entry.name)
            except (OSError, shutil.Error):
                pass  # The clone is being built: what is missing here is compiled here.


def bring_up_to_date(root, tree):
    """Makes `tree` a copy of `root`. What is the same already keeps its time, so it stays built."""
    kept = set()
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        for name in files:
            path = Path(folder) / name
            place = path.relative_to(root)
            kept.add(place)
            goal = tree / place
            if path.is_symlink():
                goal.unlink(missing_ok=True)
                goal.parent.mkdir(parents=True, exist_ok=True)
                goal.symlink_to(os.readlink(path))
                continue
            content = path.read_bytes()
            if place == Path("Cargo.toml"):
                content, times = PROFILE.subn(PLAIN, content.decode())
                content = content.encode()
                if times != 1:
                    sys.exit("error: Cargo.toml: the profile of crossbar-test is not where it was")
            if not goal.is_file() or goal.is_symlink() or goal.read_bytes() != content:
                goal.parent.mkdir(parents=True, exist_ok=True)
                goal.unlink(missing_ok=True)
                goal.write_bytes(content)
            goal.chmod(path.stat().st_mode)
    for folder, _, files in os.walk(tree):
        for name in files:
            if (Path(folder) / name).relative_to(tree) not in kept:
                (Path(folder) / name).unlink()


def misplaced(row, tree):
    try:
        count = (tree / row.file).read_bytes().count(row.old.encode())
    except OSError as error:
        return f"{row.row}: {row.file}: {error.strerror}"
    return None if count == 1 else f"{row.row}: `{row.old}` stands {count} times in {row.file}"


def suite(row):
    return row.test.partition("::")[0]


def name(row):
    return row.test.partition("::")[2]


def by_suite(rows):
    suites = {}
    for row in rows:
        suites.setdefault(suite(row), []).append(row)
    return suites


def unknown_tests(rows, tree, options):
    problems = []
    for one, ours in by_suite(rows).items():
        code, output = call([*cargo_test(one), "--", "--list"], tree, options)
        if code != 0:
            problems.append(f"{one}: {first_error(output)}")
            continue
        known = set(LISTED.findall(output))
        problems += [f"{row.row}: there is no test {row.test}" for row in ours if name(row) not in known]
    return problems


def sound(rows, tree, options):
    """Ends the script unless every named test passes in the unspoiled tree."""
    for one, ours in by_suite(rows).items():
        tests = sorted({name(row) for row in ours})
        code, output = call([*cargo_test(one, quiet=False), "--", "--exact", *tests], tree, options)
        passed = set(PASSED.findall(output))
        missing = [f"{one}::{test}" for test in tests if test not in passed]
        if code != 0 or missing:
            print(output[-4000:], file=sys.stderr)
            sys.exit(f"error: before any sabotage: {first_error(output)}; not passed: {', '.join(missing)}")


def judge(row, tree, options):
    """Whether the sabotage was caught, in words, and how long it took."""
    started = time.monotonic()
    path = tree / row.file
    whole = path.read_bytes()
    try:
        path.write_bytes(whole.replace(row.old.encode(), row.new.encode()))
        held, words = run(row, tree, options)
    finally:
        path.write_bytes(whole)
    return held, words, time.monotonic() - started


def run(row, tree, options):
    """Builds, then runs the one test: `(True, ..)` when it was red."""
    command = cargo_test(suite(row))
    code, output = call([*command, "--no-run"], tree, options)
    if code != 0:
        return False, "does not compile: " + first_error(output)
    code, output = call([*command, "--", "--exact", name(row)], tree, options)
    if code is None:
        return True, "red (it hung)"
    counts = Counter()
    for passed, failed in RESULT.findall(output):
        counts.update(passed=int(passed), failed=int(failed))
    if "error: could not compile" in output:
        return False, "does not compile inside the test"
    if counts["failed"] and code != 0:
        return True, "red"
    if counts["passed"] and code == 0:
        return False, "stayed green"
    # An abort takes the test binary down with it.
    return (True, "red (it died)") if code not in (0, 101) else (False, f"no such test ran (exit {code})")


def cargo_test(suite, quiet=True):
    target = {
        "crossbar": ["-p", "crossbar-test", "--features", "build,cli,http,mcp-http", "--lib"],
        "macros": ["-p", "crossbar-test-macros", "--lib"],
        "shared": ["-p", "crossbar-suites", "--lib", "--features", "heavy"],
    }.get(suite, ["-p", "crossbar-suites", "--test", suite, "--features", "heavy"])
    return ["cargo", "test", "--locked", "--offline", *(["--quiet"] if quiet else []), *target]


def call(command, tree, options):
    """Exit code (`None` past the time limit) and all output; the whole group is ended."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("CROSSBAR_", "NEXTEST"))}
    env |= {"CARGO_TARGET_DIR": str(options.target_dir), "CARGO_TERM_COLOR": "never"}
    env |= {"CARGO_INCREMENTAL": "1", "CARGO_NET_OFFLINE": "true"}
    child = subprocess.Popen(command, cwd=tree, env=env, start_new_session=True, text=True, errors="replace",
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        output, _ = child.communicate(timeout=options.timeout)
        return child.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        output, _ = child.communicate()
        return None, output


def first_error(output):
    return next((line for line in output.splitlines() if line.startswith("error")), "no error line")


if __name__ == "__main__":
    main()
