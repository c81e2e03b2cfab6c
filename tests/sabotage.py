#!/usr/bin/env python3
"""Spoils the source one line at a time and expects the named test to turn red.

Rows come from tests/rows.tsv. Each is applied to a copy of the tree, in which the test was seen
green before; then its test runs alone and must fail. A sabotage that does not compile proves
nothing and counts as a failure of this script, as does one that no test notices.

    tests/sabotage.py --count 10 --seed "$(git rev-parse HEAD)"
    tests/sabotage.py --row U-01 --row U-02
    tests/sabotage.py --all

The target folder is shared by all sabotages, so that only what was spoiled is built again. It must
not be the one of the clone itself: binaries of both would overwrite each other.
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
from collections import namedtuple
from pathlib import Path

HEAD = ["row", "test", "file", "old", "new"]
LEFT_OUT = shutil.ignore_patterns("target", ".git", "runs", "node_modules", ".venv", "__pycache__")
RESULT = re.compile(r"test result: \w+\. (\d+) passed; (\d+) failed")

Row = namedtuple("Row", HEAD)


def main():
    options = arguments()
    rows = select(read(options.root / "tests/rows.tsv"), options)
    if not rows:
        sys.exit("error: no row selected")
    tree = copy(options.root, options.target_dir)
    print(f"{len(rows)} sabotages in {tree}", flush=True)
    results = [(row, *judge(row, tree, options)) for row in rows]
    width = max(len(row.test) for row in rows)
    print()
    for row, held, words, seconds in results:
        print(f"{'ok ' if held else 'BAD'}  {row.row:<8} {row.test:<{width}}  {seconds:6.1f} s  {words}")
    bad = sum(not held for _, held, _, _ in results)
    print(f"\n{len(results) - bad} of {len(results)} sabotages were caught")
    sys.exit(1 if bad else 0)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10, help="how many rows (default 10)")
    parser.add_argument("--seed", default="", help="which rows: the same text picks the same ones")
    parser.add_argument("--row", action="append", default=[], help="a row by its id, instead of a pick")
    parser.add_argument("--all", action="store_true", help="every row")
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
    if options.row:
        missing = set(options.row) - {row.row for row in rows}
        if missing:
            sys.exit(f"error: no such row: {', '.join(sorted(missing))}")
        return [row for row in rows if row.row in options.row]
    if options.all:
        return rows
    rank = lambda row: hashlib.sha256("\0".join([options.seed, *row]).encode()).digest()
    return sorted(sorted(rows, key=rank)[: options.count], key=lambda row: row.test)


def copy(root, target_dir):
    """The tree under the target folder. Times are new: what an earlier run spoiled must not look fresh."""
    tree = target_dir / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(root, tree, ignore=LEFT_OUT, copy_function=shutil.copy, symlinks=True)
    return tree


def judge(row, tree, options):
    """Whether the sabotage was caught, in words, and how long it took."""
    started = time.monotonic()
    path = tree / row.file
    try:
        whole = path.read_bytes()
    except OSError as error:
        return False, f"{row.file}: {error.strerror}", 0.0
    count = whole.count(row.old.encode())
    if count != 1:
        return False, f"`{row.old}` stands {count} times in {row.file}", 0.0
    held, words = run(row, tree, options)
    if (held, words) != (False, "stayed green"):
        return False, f"before the sabotage: {words}", time.monotonic() - started
    try:
        path.write_bytes(whole.replace(row.old.encode(), row.new.encode()))
        held, words = run(row, tree, options)
    finally:
        path.write_bytes(whole)
    return held, words, time.monotonic() - started


def run(row, tree, options):
    """Builds, then runs the one test: `(True, ..)` when it was red."""
    suite, _, name = row.test.partition("::")
    command = ["cargo", "test", "--quiet", *target(suite)]
    code, output = call([*command, "--no-run"], tree, options)
    if code != 0:
        return False, "does not compile: " + first_error(output)
    code, output = call([*command, "--", "--exact", name], tree, options)
    if code is None:
        return True, "red (it hung)"
    counts = [(int(passed), int(failed)) for passed, failed in RESULT.findall(output)]
    if sum(failed for _, failed in counts) > 0 and code != 0:
        return True, "red"
    if sum(passed for passed, _ in counts) > 0 and code == 0:
        return False, "stayed green"
    return False, f"no such test ran (exit {code})"


def target(suite):
    published = {"crossbar": "crossbar-test", "macros": "crossbar-test-macros"}
    if suite == "crossbar":
        return ["-p", published[suite], "--features", "cli,http", "--lib"]
    if suite == "macros":
        return ["-p", published[suite], "--lib"]
    if suite == "shared":
        return ["-p", "crossbar-suites", "--lib"]
    return ["-p", "crossbar-suites", "--test", suite]


def call(command, tree, options):
    """Exit code (`None` past the time limit) and all output; the whole group is ended."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("CROSSBAR_", "NEXTEST"))}
    env["CARGO_TARGET_DIR"] = str(options.target_dir)
    env["CARGO_TERM_COLOR"] = "never"
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
