#!/bin/sh
# Measures what crossbar costs, beside Inspect, in one run on this machine: docs/performance.md says
# what the figures mean. Needs python3 with venv, and the network once, to fetch Inspect.
#   tests/bench/run.sh           the table, some minutes once everything is built
#   tests/bench/run.sh --large   with 100,000 rollouts as well
#   tests/bench/run.sh --cold    only the cold build of the default features
#   tests/bench/run.sh --list    only listing and finding among 10,000 cases
set -eu
cd "$(dirname "$0")/../.."
cargo=${CARGO:-cargo}

if [ "${1:-}" = --cold ]; then
    exec python3 tests/bench/cold.py
fi
if [ "${1:-}" = --list ]; then
    exec python3 tests/bench/list.py
fi

inspect=target/real/inspect
if [ ! -x "$inspect/bin/inspect" ]; then
    python3 -m venv "$inspect"
fi
"$inspect/bin/python" -c 'import inspect_ai, mcp' 2>/dev/null ||
    "$inspect/bin/pip" install --quiet inspect-ai==0.3.285 mcp==2.3.0

# A release build in a target directory of its own: it must not push the dev build's products out.
release=target/bench-target
# One command for both packages, so that what they share is built once.
features=crossbar-test/cli,crossbar-test/http
"$cargo" build --release --target-dir "$release" -p crossbar-test -p crossbar-suites --bins \
    --features "$features,crossbar-suites/bench"
"$cargo" build -p crossbar-test --features cli,http --bins
"$cargo" test --no-run --quiet -p first-test

exec python3 tests/bench/measure.py "$release/release" target/debug "$inspect/bin" "$@"
