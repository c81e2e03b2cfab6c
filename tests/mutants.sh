#!/usr/bin/env bash
# Changes the statistics and the analysis one expression at a time and expects a test to turn red:
# the mutants of cargo-mutants, all in one build (tests/mutants/). Ends with 1 when one survives that
# docs/decisions/mutants.md has no reason for. A run that was stopped goes on where it was.
#
#     tests/mutants.sh                      every file
#     tests/mutants.sh units analysis/gate  files whose path holds one of these
#
# Needs cargo-mutants, and `timeout` of the coreutils; nothing is fetched.
set -euo pipefail

command -v cargo-mutants >/dev/null || {
    echo "mutants: error: there is no cargo-mutants on PATH" >&2
    echo "help: cargo install cargo-mutants --locked" >&2
    exit 1
}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec cargo run --locked -p crossbar-suites --features mutants --bin crossbar-mutants -- "$@"
