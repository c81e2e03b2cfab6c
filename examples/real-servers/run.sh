#!/usr/bin/env bash
# Runs three tasks on real MCP servers: once as their scripts say, once by a model that does
# nothing. Needs node, npm and `crossbar`.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${CROSSBAR_REAL_CACHE:-$here/../../target/real}/servers
results=${CROSSBAR_RESULTS_DIR:-$here/runs}
version=2026.8.31

say() { echo "real-servers: $*" >&2; }
fail() { say "error: $1"; say "help: $2"; exit 1; }

for tool in node npm python3; do
    command -v "$tool" >/dev/null || fail "there is no $tool" "install Node.js 20 or newer with npm, and python3"
done
command -v crossbar >/dev/null || fail "there is no crossbar on PATH" \
    "cargo build -p crossbar-test --features cli,http --bins, and put target/debug on PATH"
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
if [ ! -f "$cache/installed-$version" ]; then
    say "installing the servers into $cache"
    npm install --prefix "$cache" --no-audit --no-fund --loglevel=error \
        "@modelcontextprotocol/server-filesystem@$version" \
        "@modelcontextprotocol/server-memory@$version" >&2 \
        || fail "npm can't install the servers" "check the network, or fill CROSSBAR_REAL_CACHE beforehand"
    touch "$cache/installed-$version"
fi
say "3 tasks x 2 cells x 2 repeats"
CROSSBAR_REAL_SERVERS=$cache/node_modules/@modelcontextprotocol CROSSBAR_RESULTS_DIR=$results \
    crossbar run --config "$here/crossbar.yaml" --pack "$here/files"
python3 "$here/claims.py" "$results/latest"
