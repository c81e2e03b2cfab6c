#!/usr/bin/env bash
# Writes the fixtures of Harbor and tau2 anew: both tools run their own loop, Harbor with a folder in
# place of a container and tau2 over its domain `mock`, with models that answer from a table. Not a
# part of CI: both need Python 3.12, Harbor installs some 250 packages, and tau2 is not on PyPI, so
# its sources must be there.
#
#     tests/import/record.sh PYTHON TAU2_SOURCES OUT
#
# Paths of the machine in Harbor's files are then shortened by hand.
set -euo pipefail

[ $# -eq 3 ] || { echo "usage: tests/import/record.sh PYTHON TAU2_SOURCES OUT" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sources=$(cd "$2" && pwd)
mkdir -p "$3"
out=$(cd "$3" && pwd)
harbor=0.26.0

"$1" -m venv "$out/harbor-python"
"$out/harbor-python/bin/pip" install --quiet "harbor==$harbor"
"$1" -m venv "$out/tau2-python"
"$out/tau2-python/bin/pip" install --quiet "$sources"

cp "$here/harbor/"* "$out/"
cd "$out"
for task in one two three; do
    mkdir -p "tasks/$task"/{tests,environment}
    echo "Write this word to answer.txt: $task" >"tasks/$task/instruction.md"
    echo "FROM scratch" >"tasks/$task/environment/Dockerfile"
    cat >"tasks/$task/task.toml" <<EOF
version = "1.0"
[task]
name = "sums/$task"
[agent]
timeout_sec = 2.0
EOF
    # Harbor runs it in the folder /app of its environment.
    cat >"tasks/$task/tests/test.sh" <<EOF
#!/bin/bash
[ "\$(cat answer.txt)" = $task ] && reward=1 || reward=0
echo \$reward >../logs/verifier/reward.txt
EOF
done
HARBOR_TELEMETRY=0 PYTHONPATH=$out harbor-python/bin/harbor run -c job.json

for model in gpt-4.1 gpt-4.1-mini; do
    TAU2_DATA_DIR=$sources/data LITELLM_LOCAL_MODEL_COST_MAP=True \
        tau2-python/bin/python "$here/tau2_mock.py" "$model" "$out/tau2-$model"
done
echo "record: $out/jobs/sums, and results.json under $out/tau2-* or $sources/data/simulations"
