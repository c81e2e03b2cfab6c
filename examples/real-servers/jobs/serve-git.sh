#!/usr/bin/env bash
# Makes a repository with one commit in the folder $2, and serves it with the mcp-server-git of the
# virtual environment $1. Every call names the repository, as `.`: the folder that this runs in.
set -euo pipefail
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git -C "$2" init -q -b main
git -C "$2" config user.name "The desk"
git -C "$2" config user.email desk@crossbar.example
git -C "$2" commit -q --allow-empty -m begin
exec "$1/bin/mcp-server-git" --repository "$2"
