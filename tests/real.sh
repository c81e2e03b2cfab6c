#!/usr/bin/env bash
# Real input: a real model and real MCP servers, each run by its example, which holds itself to its
# README; and results that other tools write. Prints one line for each; the first failure ends it
# with the whole output.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
for tool in crossbar python3 node npm; do
    command -v "$tool" >/dev/null || {
        echo "real: error: there is no $tool on PATH" >&2
        case $tool in
        crossbar) echo "help: cargo build -p crossbar-test --features cli,http --bins, then put target/debug on PATH" >&2 ;;
        python3) echo "help: install python3 with venv (Debian: apt-get install python3-venv)" >&2 ;;
        *) echo "help: install Node.js 20 or newer with npm" >&2 ;;
        esac
        exit 1
    }
done
output=$(mktemp)
trap 'rm -f "$output"' EXIT
# The model answers less often than for docs/real-model.md, and is held to that page.
for example in "examples/real-model small" examples/real-servers tests/import; do
    began=$SECONDS
    read -r -a words <<<"$example"
    if "$root/${words[0]}/run.sh" "${words[@]:1}" >"$output" 2>&1; then
        echo "$(tail -n 1 "$output") ($((SECONDS - began)) s)"
    else
        cat "$output" >&2
        echo "$example: failed after $((SECONDS - began)) s" >&2
        exit 1
    fi
done
