"""What run.sh needs beside the shell: a server for the model, its readiness, the claims, the page."""

import itertools
import json
import os
import re
import socket
import sys
import time
import urllib.request


def port():
    """Prints a port of loopback that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        print(probe.getsockname()[1])


def serve(port, gguf):
    """Serves the model until it is killed. One thread a request: several would wait for each
    other at every token, and on busy cores that costs far more than it brings."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = gguf
    params.model_alias = {"smollm2-135m"}
    params.port = int(port)
    params.n_ctx = 8192
    params.n_parallel = 4
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.offline = True
    params.ui = False
    server = xllamacpp.Server(params)
    print("listening on", server.listening_address, flush=True)
    parent = os.getppid()
    while os.getppid() == parent:  # a killed script leaves no server behind
        time.sleep(1)


def ready(port, pid):
    """Polls /health for at most 90 s, and asks one question in the form that text-json needs."""
    base, until = f"http://127.0.0.1:{port}", time.monotonic() + 90
    while True:
        if not running(int(pid)):
            sys.exit("real-model: the server ended before it was ready")
        try:
            with urllib.request.urlopen(f"{base}/health", timeout=2) as answer:
                if json.load(answer).get("status") == "ok":
                    break
        except OSError as error:
            if time.monotonic() > until:
                sys.exit(f"real-model: the server is not ready after 90 s: {error}")
        time.sleep(0.2)
    schema = {"type": "object", "properties": {"answer": {"type": "string", "maxLength": 16}}}
    schema |= {"required": ["answer"], "additionalProperties": False}
    body = {
        "model": "smollm2-135m",
        "max_tokens": 64,
        "messages": [{"role": "user", "content": "What is the capital of Japan?"}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}},
    }
    request = urllib.request.Request(
        f"{base}/v1/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json"},
    )
    # The answer is drawn at random, and a long one is cut: one whole answer of five is enough.
    why = None
    for _ in range(5):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                json.loads(json.load(answer)["choices"][0]["message"]["content"])["answer"]
                return
        except (OSError, ValueError, KeyError) as error:
            why = error
    sys.exit(f"real-model: the server gave no answer in JSON: {why!r}")


def running(pid):
    """Whether the process runs; one that ended and waits to be collected does not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def sweep(folder):
    """The figures of a run, and the lines of its card."""
    with open(f"{folder}/sweep.json") as file, open(f"{folder}/report.md") as card:
        return json.load(file), card.read().splitlines()


def expect(claims):
    for holds, claim in claims:
        if not holds:
            sys.exit(f"real-model: expected {claim}")


def counted(rollouts):
    """How often each case, a cell with a task, passed and ran."""
    passes, ran = {}, {}
    for rollout in rollouts:
        case = (rollout["key"]["cell"], rollout["key"]["task"])
        ran[case] = ran.get(case, 0) + 1
        passes[case] = passes.get(case, 0) + (rollout["outcome"]["kind"] == "accepted")
    return passes, ran


def verdict(card):
    """What stands at `>>`, as one line; the figures below it stand further in."""
    at = next((at for at, line in enumerate(card) if line.startswith("  >> ")), len(card))
    said = itertools.takewhile(lambda line: line.strip() and line[:5] != " " * 5, card[at:])
    return " ".join(" ".join(said).removeprefix("  >> ").split())


def noise(card):
    """What the card says of tasks that disagreed with themselves, as one line."""
    text = " ".join(" ".join(card).split())
    return text.partition("tasks that disagreed with themselves, by cell: ")[2].partition(". ")[0]


def claims(folder, repeats):
    """Holds a run to what the README says of it."""
    repeats = int(repeats)
    figures, card = sweep(folder)
    passes, ran = counted(figures["rollouts"])
    kinds = sorted({rollout["outcome"]["kind"] for rollout in figures["rollouts"]})
    cells, tasks = (sorted({case[at] for case in ran}) for at in (0, 1))
    between = {case for case, n in passes.items() if 0 < n < repeats}
    moved = {task for _, task in between}
    told = [f"{c} {sum(case[0] == c for case in between)} of {len(tasks)}" for c in cells]
    budget = next((line for line in card if line.strip().startswith("BUDGET")), "")
    wanted = 10 if repeats >= 8 else 3
    expect(
        (
            (len(tasks) >= 30, f"30 tasks or more, not {len(tasks)}"),
            (len(cells) == 4, f"4 cells, not {len(cells)}"),
            (set(ran.values()) == {repeats}, f"{repeats} repeats of each case"),
            (
                set(kinds) <= {"accepted", "task_failure", "agent_crash"},
                f"the model alone to decide how a rollout ends, not {kinds}",
            ),
            (len(moved) >= wanted, f"{wanted} tasks that disagree with themselves, not {moved}"),
            (sorted(noise(card).split("; ")) == told, f"the card to say {told}, not {noise(card)}"),
            ("price: free" in budget, f"a budget line that says `price: free`, not `{budget}`"),
            (verdict(card), "a verdict"),
        )
    )
    word = verdict(card).split(" with ")[0].split(" yet")[0]
    print(
        f"real-model: holds: {word}; {len(tasks)} tasks x {len(cells)} cells x {repeats} repeats, "
        f"{len(moved)} tasks disagreed with themselves in some cell, price: free"
    )


def same(first, second):
    """Holds two runs with one seed of the model to the same answers."""
    both = []
    for folder in (first, second):
        rollouts = sweep(folder)[0]["rollouts"]
        both.append({one["key"]["task"]: one["trajectory"]["final_text"] for one in rollouts})
    differ = [task for task in both[0] if both[0][task] != both[1].get(task)]
    expect(((both[0] and not differ, f"the same answers to one seed, but for {differ}"),))
    print(f"real-model: holds: one seed of the model gives the same {len(both[0])} answers again")


def agent(folder):
    """Holds a sweep in which Claude Code asked the model: every question was asked and answered
    through the gateway, by the version that crossbar is tested with, some rightly and some not."""
    rollouts = sweep(folder)[0]["rollouts"]
    runs = [one["trajectory"].get("agent") or {} for one in rollouts]
    asked = [exchange for run in runs for exchange in run.get("exchanges", [])]
    whole = [one for one in asked if one["end"] == "complete"]
    kinds = sorted({one["outcome"]["kind"] for one in rollouts})
    right = sum(one["outcome"]["kind"] == "accepted" for one in rollouts)
    expect(
        (
            (len(rollouts) == 30, f"30 rollouts, not {len(rollouts)}"),
            (
                set(kinds) <= {"accepted", "task_failure", "agent_crash"},
                f"the model alone to decide how a rollout ends, not {kinds}",
            ),
            (0 < right < len(rollouts), f"some right and some wrong answers, not {right} right ones"),
            (
                all(run.get("version") and run["version"] == run["pinned"] for run in runs),
                "the version that crossbar is tested with",
            ),
            (len(whole) >= len(rollouts), f"an answer for each, not {len(whole)} of {len(asked)}"),
            (all((one["usage"] or {}).get("output") for one in whole), "tokens in every answer"),
            (all("smollm2" in (one["answered"] or "") for one in whole), "the model to answer"),
        )
    )
    print(
        f"real-model: holds: Claude Code asked {len(rollouts)} questions through the gateway, "
        f"{right} answers were right"
    )


def percent(estimate):
    """A rate with its interval, in percent."""
    lo, hi = estimate["interval"]["lo"], estimate["interval"]["hi"]
    return f"{100 * estimate['value']:.1f} [{100 * lo:.1f} - {100 * hi:.1f}]"


def points(side):
    """A difference to the baseline, in points, with its interval and what is shown of it."""
    told = side["difference"]["estimate"]
    lo, hi = told["interval"]["lo"], told["interval"]["hi"]
    text = f"{100 * told['value']:+.1f} [{100 * lo:+.1f} to {100 * hi:+.1f}]"
    return f"{text}, {side['direction'] or 'not separable'}"


def page(folder, path):
    """Writes the page about a run: its card, and what there is to learn from it."""
    figures, card = sweep(folder)
    analysis = figures["analysis"]
    cells = {cell["id"]: cell for cell in analysis["cells"]}
    passes, ran = counted(figures["rollouts"])
    between = {case for case, n in passes.items() if 0 < n < ran[case]}
    moved = len({task for _, task in between})
    order = sorted(cells, key=lambda cell: -cells[cell]["pack_rate"]["value"])
    best, worst = (cells[cell]["pack_rate"]["value"] for cell in (order[0], order[-1]))
    against = {one["cell"]: one for one in analysis["comparisons"]}
    differences = [
        f"| `{cell}` | {points(against[cell]['these'])} | {points(against[cell]['like'])} |"
        for cell in order
        if cell in against
    ]
    rows = [
        f"| `{cell}` | {percent(cells[cell]['pack_rate'])} | "
        f"{cells[cell]['noise']['disagreed']} of {cells[cell]['noise']['of']} |"
        for cell in order
    ]
    to = next(at for at, line in enumerate(card) if line.startswith("COST AND TIME"))
    begun = next(at for at, line in enumerate(card) if line.startswith("CROSSBAR VERDICT"))
    text = PAGE.format(
        day=figures["meta"]["made"]["created_at"][:10],
        tasks=analysis["tasks"],
        families=analysis["settings"]["unit"]["families"],
        repeats=analysis["settings"]["repeats"],
        rollouts=len(figures["rollouts"]),
        rows="\n".join(rows),
        differences="\n".join(differences),
        baseline=figures["analysis"]["baseline"],
        gap=round(100 * (best - worst)),
        best=order[0],
        worst=order[-1],
        moved=moved,
        verdict=verdict(card),
        card="\n".join(card[begun:to]).rstrip(),
    )
    with open(path, "w") as file:
        file.write(text)
    print(f"real-model: wrote {path}")


PAGE = """# What a real model teaches
`examples/real-model/run.sh page` wrote this page on {day}. A language model of 135 million parameters (SmolLM2-135M-Instruct, served on loopback, temperature 0.8, no seed) answered the {tasks} questions of [taskpacks/quick-facts](../taskpacks/quick-facts) in four cells, each {repeats} times: {rollouts} rollouts. It is one model in all four cells; what differs is the prompt (`short`: "Answer with one word.", `teacher`: a role and a longer sentence) and the form of the answer (plain text, or a JSON action that the server enforces).

| cell | pass, % [these tasks] | tasks that disagreed with themselves |
|---|---|---|
{rows}

| against `{baseline}` | points [these tasks] | points [tasks like these] |
|---|---|---|
{differences}

## What it teaches
- **The prompt and the form are part of what is measured.** Nothing else differs between `{best}` and `{worst}`, and {gap} points lie between the two rates. What of that is more than chance says the second table: for exactly these questions, and for questions like these, about which {tasks} in {families} families say less.
- **One run of a question says little.** {moved} of {tasks} questions were sometimes answered and sometimes not by one and the same cell. With one repeat each of them would have looked like a yes or a no.
- **A seed makes answers repeatable, not true.** With a seed in the request the model gives the same answers again, so repeats with one seed are one rollout counted often. Without one, a second sweep has other rollouts; `examples/real-model/run.sh small` runs one and holds its rates to the intervals below.
- **The verdict.** {verdict} A model that costs nothing in every cell can't become cheaper, so there is nothing to switch for; what remains to choose by is the rate.

## The card
```text
{card}
```
"""


def shape(folder, path):
    """Holds a smaller run to the page: the same cells, sections and tasks, and rates that the
    intervals of the page allow."""
    figures, card = sweep(folder)
    with open(path) as file:
        told = file.read()
    rows = re.findall(r"^\| `(.+?)` \| [0-9.]+ \[([0-9.]+) - ([0-9.]+)\]", told, re.M)
    page = {cell: (float(lo) / 100, float(hi) / 100) for cell, lo, hi in rows}
    cells = {cell["id"]: cell["pack_rate"]["interval"] for cell in figures["analysis"]["cells"]}
    apart = [
        cell
        for cell, seen in cells.items()
        if cell in page and (seen["lo"] > page[cell][1] or seen["hi"] < page[cell][0])
    ]
    parts = [line for line in told.splitlines() if re.fullmatch(r"[A-Z][A-Z ]+", line)]
    missing = [part for part in parts if part not in card]
    tasks = f", {figures['analysis']['tasks']} tasks"
    opposite = verdict(card).startswith("SWITCH") != (">> SWITCH" in told)
    expect(
        (
            (set(cells) == set(page), f"the cells of the page, {sorted(page)}"),
            (tasks in told, f"the page to have{tasks}"),
            (parts and not missing, f"the sections {missing}"),
            (not apart, f"rates that the page's intervals allow, but for {apart}"),
            (not opposite, f"a verdict that the page allows, not {verdict(card)}"),
        )
    )
    print(
        f"real-model: holds: a verdict, rates and sections as docs/real-model.md has them, "
        f"{len(cells)} cells"
    )


if __name__ == "__main__":
    run = {f.__name__: f for f in (port, serve, ready, claims, same, agent, page, shape)}
    run[sys.argv[1]](*sys.argv[2:])
