#!/usr/bin/env bash
# Changes the statistics one expression at a time and expects a test to turn red: cargo-mutants over
# the room `stats`, which needs no other room, so it is taken out into a package of its own with its
# unit tests and the golden values. A mutant takes seconds there and minutes in the whole library.
#
#     tests/mutants.sh                      every file; hours
#     tests/mutants.sh units mover          these files of crossbar/src/stats
#     MUTANTS_ARGS='--shard 1/8' tests/mutants.sh
#
# docs/decisions/mutants.md says why each mutant that survives may. Needs cargo-mutants; nothing is
# fetched.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
package=$root/target/mutants/stats
command -v cargo-mutants >/dev/null || {
    echo "mutants: error: there is no cargo-mutants on PATH" >&2
    echo "help: cargo install cargo-mutants --locked" >&2
    exit 1
}
rm -rf "$package"
mkdir -p "$package/src" "$package/tests"
cp -R "$root/crossbar/src/stats" "$package/src/"
cp -R "$root/tests/golden" "$package/golden"
cp -R "$root/tests/suites/golden" "$package/tests/"
# What holds other rooms too stays behind: they are not here.
cp "$root/tests/suites/golden.rs" "$package/tests/"
for file in $(grep -lE 'crossbar_suites|crossbar::(analysis|domain)' "$package/tests/golden/"*.rs); do
    rm "$file"
    sed -i "/\/$(basename "$file")\"\]/,/^mod /d" "$package/tests/golden.rs"
done
cp "$root/Cargo.lock" "$package/"
version() { sed -n "/^\[workspace.dependencies\]/,/^\[/s/^$1 = //p" "$root/Cargo.toml"; }
cat >"$package/Cargo.toml" <<EOF
[package]
name = "crossbar"
version = "0.0.0"
edition = "2024"

[dependencies]
libm = $(version libm)
rand_chacha = $(version rand_chacha)

[dev-dependencies]
serde_json = $(version serde_json)

[lib]
test = false
doctest = false

[profile.dev]
debug = 0

[workspace]
EOF
echo 'pub mod stats;' >"$package/src/lib.rs"
# The golden values are quick and find most mutants; the unit tests, with their simulations, come
# after them, since targets run in the order of their names.
printf '#[path = "../src/stats/mod.rs"]\nmod stats;\n' >"$package/tests/units.rs"

files=()
for name in "$@"; do files+=(--file "src/stats/$name.rs"); done
cd "$package"
# shellcheck disable=SC2086
exec cargo mutants --in-place --no-shuffle --timeout 300 --output "$root/target/mutants" \
    "${files[@]}" ${MUTANTS_ARGS:-} -- --offline
