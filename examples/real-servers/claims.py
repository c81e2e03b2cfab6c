"""Holds the run in a folder to what the README says: the script solves all, idling solves none, and
every control has the score that it must have."""

import json
import sys

TASKS, CONTROLS = 9, 34
with open(f"{sys.argv[1]}/sweep.json") as file:
    sweep = json.load(file)
with open(f"{sys.argv[1]}/report.md") as file:
    verdicts = [line for line in file if line.strip().startswith(">>")]
ended = {}
for rollout in sweep["rollouts"]:
    cell = ended.setdefault(rollout["key"]["cell"], [])
    cell.append((rollout["key"]["task"], rollout["outcome"]["kind"]))
tasks = {task for cell in ended.values() for task, _ in cell}
for cell, wanted in (("scripted+react", "accepted"), ("idle+react", "task_failure")):
    wrong = [f"{task}: {kind}" for task, kind in ended.get(cell, []) if kind != wanted]
    if wrong or len(ended.get(cell, [])) != 2 * len(tasks):
        sys.exit(f"real-servers: expected {wanted} everywhere in {cell}, got {ended.get(cell)}")
if len(tasks) != TASKS or not verdicts:
    sys.exit(f"real-servers: expected {TASKS} tasks and a verdict, got {sorted(tasks)}, {verdicts}")
controls = [(one["control"], one["finding"]) for one in sweep["controls"]]
wrong = [one for one in controls if one[1]["kind"] != "holds"]
idle = [finding["score"] for control, finding in controls if control == "control+noop"]
if wrong or len(controls) != CONTROLS or idle != [0.0] * TASKS:
    sys.exit(f"real-servers: expected {CONTROLS} controls that hold, got {controls}")
print(
    f"real-servers: holds: {len(tasks)} tasks on 5 servers, solved by the script, by nobody without "
    f"it; {CONTROLS} of {CONTROLS} controls hold, doing nothing scores 0.00"
)
