#!/usr/bin/env bash
# Makes a database with two orders in the folder $2, and serves it with the mcp-server-sqlite of the
# virtual environment $1.
set -euo pipefail
"$1/bin/python" - "$2/shop.db" <<'PYTHON'
import sqlite3
import sys

with sqlite3.connect(sys.argv[1]) as shop:
    shop.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, status TEXT)")
    shop.executemany("INSERT INTO orders VALUES (?, ?, ?)", [(7, "Dana", "open"), (8, "Mika", "open")])
PYTHON
exec "$1/bin/mcp-server-sqlite" --db-path "$2/shop.db"
