#!/usr/bin/env bash
# Runs nine tasks on five real MCP servers: once as their scripts say, once by a model that does
# nothing, and with the mistakes that must not be accepted. Needs node, npm, git, python3 with venv,
# and `crossbar`.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${CROSSBAR_REAL_CACHE:-$here/../../target/real}/servers
results=${CROSSBAR_RESULTS_DIR:-$here/runs}
node_version=2026.8.31
git_version=2026.10.19
sqlite_version=2025.4.25
# mcp-server-sqlite does not start with a newer one of its library.
mcp_version=1.30.0

say() { echo "real-servers: $*" >&2; }
fail() { say "error: $1"; say "help: $2"; exit 1; }

for tool in node npm git python3; do
    command -v "$tool" >/dev/null \
        || fail "there is no $tool" "install Node.js 20 or newer with npm, git, and python3 with venv"
done
command -v crossbar >/dev/null || fail "there is no crossbar on PATH" \
    "cargo build -p crossbar-test --features cli,http --bins, and put target/debug on PATH"
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
if [ ! -f "$cache/installed-three-$node_version" ]; then
    say "installing the servers for Node.js into $cache"
    npm install --prefix "$cache" --no-audit --no-fund --loglevel=error \
        "@modelcontextprotocol/server-everything@$node_version" \
        "@modelcontextprotocol/server-filesystem@$node_version" \
        "@modelcontextprotocol/server-memory@$node_version" >&2 \
        || fail "npm can't install the servers" "check the network, or fill CROSSBAR_REAL_CACHE beforehand"
    touch "$cache/installed-three-$node_version"
fi
if [ ! -f "$cache/installed-git-$git_version" ]; then
    say "installing the server for git into $cache/git"
    python3 -m venv --clear "$cache/git" \
        || fail "python3 makes no venv" "install python3 with venv (Debian: apt-get install python3-venv)"
    "$cache/git/bin/pip" install --quiet --disable-pip-version-check "mcp-server-git==$git_version" >&2 \
        || fail "pip can't install mcp-server-git" "check the network, or fill CROSSBAR_REAL_CACHE beforehand"
    touch "$cache/installed-git-$git_version"
fi
if [ ! -f "$cache/installed-sqlite-$sqlite_version" ]; then
    say "installing the server for SQLite into $cache/sqlite"
    python3 -m venv --clear "$cache/sqlite" \
        || fail "python3 makes no venv" "install python3 with venv (Debian: apt-get install python3-venv)"
    "$cache/sqlite/bin/pip" install --quiet --disable-pip-version-check \
        "mcp-server-sqlite==$sqlite_version" "mcp==$mcp_version" >&2 \
        || fail "pip can't install mcp-server-sqlite" "check the network, or fill CROSSBAR_REAL_CACHE beforehand"
    touch "$cache/installed-sqlite-$sqlite_version"
fi
say "9 tasks x 2 cells x 2 repeats, and 34 controls"
REAL_SERVERS=$cache/node_modules/@modelcontextprotocol REAL_GIT=$cache/git REAL_SQLITE=$cache/sqlite \
    CROSSBAR_RESULTS_DIR=$results crossbar run --config "$here/crossbar.yaml"
python3 "$here/claims.py" "$results/latest"
