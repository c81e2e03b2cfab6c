#!/usr/bin/env bash
# Installs the validator of trajectories in ATIF into target/harbor: Harbor's models with pydantic,
# of which they are made. The rest of Harbor, its 80 packages and its Python 3.12, runs containers
# and is not needed to read a file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
harbor=0.26.0
pydantic=2.14.4

marker=target/harbor/$harbor-$pydantic
[ ! -f "$marker" ] || exit 0
python3 -m venv --clear target/harbor
pip() { target/harbor/bin/pip install --quiet --disable-pip-version-check "$@"; }
pip "pydantic==$pydantic"
pip --no-deps --ignore-requires-python "harbor==$harbor"
target/harbor/bin/python -c 'from harbor.utils.trajectory_validator import TrajectoryValidator'
touch "$marker"
