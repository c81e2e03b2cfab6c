"""Holds the run in a folder to what the README says: the script solves all, idling solves none."""

import json
import sys

with open(f"{sys.argv[1]}/sweep.json") as file:
    rollouts = json.load(file)["rollouts"]
with open(f"{sys.argv[1]}/report.md") as file:
    verdicts = [line for line in file if line.strip().startswith(">>")]
ended = {}
for rollout in rollouts:
    cell = ended.setdefault(rollout["key"]["cell"], [])
    cell.append((rollout["key"]["task"], rollout["outcome"]["kind"]))
tasks = {task for cell in ended.values() for task, _ in cell}
for cell, wanted in (("scripted+react", "accepted"), ("idle+react", "task_failure")):
    wrong = [f"{task}: {kind}" for task, kind in ended.get(cell, []) if kind != wanted]
    if wrong or len(ended.get(cell, [])) != 2 * len(tasks):
        sys.exit(f"real-servers: expected {wanted} everywhere in {cell}, got {ended.get(cell)}")
if len(tasks) != 3 or not verdicts:
    sys.exit(f"real-servers: expected 3 tasks and a verdict, got {sorted(tasks)}, {verdicts}")
print(f"real-servers: holds: {len(tasks)} tasks, solved by the script, by nobody without it")
