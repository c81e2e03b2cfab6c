#!/usr/bin/env python3
"""Holds every crate of the lock file to deny.toml: its licence is allowed, and it is not banned.

The same two checks that cargo-deny makes, without building it and without its database.
"""
import json
import re
import subprocess
import sys
import tomllib


def allowed(expression: str, licences: set[str]) -> bool:
    """Whether an SPDX expression of OR, AND and brackets can be satisfied by the allowed ones."""
    words = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))
    python = []
    for word in words:
        if word in ("(", ")"):
            python.append(word)
        elif word in ("OR", "AND"):
            python.append(word.lower())
        elif word == "WITH":
            python.append("and")
        else:
            python.append(str(word in licences or word.endswith("-exception")))
    return bool(eval(" ".join(python)))  # only the words above reach it


def main() -> int:
    deny = tomllib.load(open("deny.toml", "rb"))
    licences = set(deny["licenses"]["allow"])
    banned = {(ban["crate"] if isinstance(ban, dict) else ban) for ban in deny["bans"].get("deny", [])}
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features"],
        check=True, capture_output=True, text=True,
    )
    wrong = []
    packages = json.loads(metadata.stdout)["packages"]
    for package in packages:
        name = f"{package['name']} {package['version']}"
        if package["name"] in banned:
            wrong.append(f"{name} is banned by deny.toml")
        licence = package["license"]
        if licence is None or not allowed(licence, licences):
            wrong.append(f"{name} has the licence {licence}, which deny.toml does not allow")
    for line in wrong:
        print(f"error: {line}", file=sys.stderr)
    print(f"{len(packages)} crates looked at, {len(wrong)} refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
