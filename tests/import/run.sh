#!/usr/bin/env bash
# Results of other tools, as the tools write them today: Inspect, promptfoo, pytest and cargo-nextest
# measure two models that answer from a table, and `crossbar analyze` reads what they wrote. Needs
# python3, node, npm, cargo-nextest and `crossbar`.
set -euo pipefail

# The next lines stand in examples/real-servers/run.sh too: an example works wherever a user copies
# it, so it can't lean on a file of the tests, nor these on one of an example.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${CROSSBAR_REAL_CACHE:-$here/../../target/real}/import
inspect=0.3.285
promptfoo=0.121.20
pytest=9.2.0

say() { echo "import: $*" >&2; }
fail() { say "error: $1"; say "help: $2"; exit 1; }

for tool in node npm python3; do
    command -v "$tool" >/dev/null || fail "there is no $tool" "install Node.js 20 or newer with npm, and python3 with venv"
done
command -v cargo-nextest >/dev/null || fail "there is no cargo-nextest" "cargo install cargo-nextest --locked"
command -v crossbar >/dev/null || fail "there is no crossbar on PATH" \
    "cargo build -p crossbar-test --features cli,http --bins, and put target/debug on PATH"
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
if [ ! -f "$cache/inspect-$inspect-pytest-$pytest" ]; then
    say "installing inspect-ai $inspect and pytest $pytest into $cache"
    python3 -m venv --clear "$cache/python"
    "$cache/python/bin/pip" install --quiet "inspect-ai==$inspect" "pytest==$pytest" >&2 \
        || fail "pip can't install inspect-ai and pytest" "check the network, or fill CROSSBAR_REAL_CACHE beforehand"
    touch "$cache/inspect-$inspect-pytest-$pytest"
fi
if [ ! -f "$cache/promptfoo-$promptfoo" ]; then
    say "installing promptfoo $promptfoo into $cache"
    # What it can do without takes 600 MB; of that only its database is needed.
    packages() {
        npm install --prefix "$cache/node" --no-audit --no-fund --loglevel=error \
            --omit=optional --omit=peer "$@" >&2 \
            || fail "npm can't install $*" "check the network, or fill CROSSBAR_REAL_CACHE beforehand"
    }
    packages "promptfoo@$promptfoo"
    libsql=$(node -p 'require(process.argv[1]).version' "$cache/node/node_modules/libsql/package.json")
    packages "@libsql/linux-$(node -p process.arch)-gnu@$libsql"
    touch "$cache/promptfoo-$promptfoo"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/{sums.py,sums.rs,test_sums.py,model.js,promptfooconfig.yaml} "$work/"
cd "$work"
"$cache/python/bin/python" sums.py >&2
# It ends with 100 where a test failed, and two of them must.
PROMPTFOO_CONFIG_DIR=$work/promptfoo PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 \
    PROMPTFOO_FAILED_TEST_EXIT_CODE=0 \
    "$cache/node/node_modules/.bin/promptfoo" eval --no-cache --no-table --no-progress-bar --repeat 2 -o out.json >&2
# Both end with a failure where a test failed, and two of `small` must.
for model in large small; do
    for repeat in 1 2; do
        MODEL=$model "$cache/python/bin/python" -m pytest -q --junit-xml="pytest-$model-$repeat.xml" test_sums.py >&2 || true
    done
done
mkdir -p sums/.config
printf '[package]\nname = "sums"\nversion = "0.0.0"\nedition = "2024"\n[lib]\npath = "../sums.rs"\n[workspace]\n' >sums/Cargo.toml
printf '[profile.default]\nfail-fast = false\njunit.path = "junit.xml"\n' >sums/.config/nextest.toml
for model in large small; do
    (cd sums && unset CARGO_TARGET_DIR && MODEL=$model RUST_BACKTRACE=0 cargo nextest run --stress-count 2 >&2) || true
    mv sums/target/nextest/default/junit.xml "nextest-$model.xml"
done

# The accepted and planned rollouts of each cell, and the repeats.
figures='
import json, sys
answer = json.load(sys.stdin)
cells = " ".join(f"""{cell["cell"]} {cell["accepted"]}/{cell["planned"]}""" for cell in answer["cells"])
print(cells, "repeats", answer["settings"]["repeats"], "complete", answer["complete"])
'
expect() {
    local wanted=$1 got
    shift
    got=$(crossbar analyze "$@" --json | python3 -c "$figures")
    [ "$got" = "$wanted" ] || fail "analyze $*: $got" "it should be: $wanted"
}
for kind in eval json; do
    expect "mockllm/large 8/8 mockllm/small 4/8 repeats 2 complete True" \
        "large.$kind" "small.$kind" --baseline mockllm/large
done
expect "large 8/8 small 4/8 repeats 2 complete True" out.json --baseline large
expect "large 8/8 small 4/8 repeats 2 complete True" \
    large=pytest-large-{1,2}.xml small=pytest-small-{1,2}.xml --baseline large
expect "large 8/8 small 4/8 repeats 2 complete True" \
    large=nextest-large.xml small=nextest-small.xml --baseline large
echo "import: inspect-ai $inspect, promptfoo $promptfoo, pytest $pytest and cargo-nextest wrote what crossbar reads"
