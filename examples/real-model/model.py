"""What run.sh needs beside the shell: a server for the model, its readiness, and the claims."""

import json
import os
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


def claims(folder, repeats):
    """Holds a run to what the README says of it."""
    repeats = int(repeats)
    with open(f"{folder}/sweep.json") as file:
        rollouts = json.load(file)["rollouts"]
    passes, ran = {}, {}
    for rollout in rollouts:
        case = (rollout["key"]["cell"], rollout["key"]["task"])
        ran[case] = ran.get(case, 0) + 1
        passes[case] = passes.get(case, 0) + (rollout["outcome"]["kind"] == "accepted")
    kinds = sorted({rollout["outcome"]["kind"] for rollout in rollouts})
    cells, tasks = ({case[at] for case in ran} for at in (0, 1))
    between = [case for case, n in passes.items() if 0 < n < repeats]
    with open(f"{folder}/report.md") as file:
        card = file.read().splitlines()
    budget = next((line for line in card if line.strip().startswith("BUDGET")), "")
    said = next((line for line in card if line.strip().startswith(">>")), "")
    for holds, claim in (
        (len(tasks) >= 12, f"12 tasks or more, not {len(tasks)}"),
        (len(cells) == 2, f"2 cells, not {len(cells)}"),
        (set(ran.values()) == {repeats}, f"{repeats} repeats of each case"),
        (
            set(kinds) <= {"accepted", "task_failure", "agent_crash"},
            f"the model alone to decide how a rollout ends, not {kinds}",
        ),
        (between, "a case that sometimes passes and sometimes fails"),
        ("price: free" in budget, f"a budget line that says `price: free`, not `{budget}`"),
        (said, "a verdict"),
    ):
        if not holds:
            sys.exit(f"real-model: expected {claim}")
    word = said.removeprefix("  >> ").split(" with ")[0].split(" yet")[0]
    print(
        f"real-model: holds: {word}; {len(tasks)} tasks x {len(cells)} cells x {repeats} repeats, "
        f"{len(between)} of {len(ran)} cases between never and always, price: free"
    )


if __name__ == "__main__":
    {"port": port, "serve": serve, "ready": ready, "claims": claims}[sys.argv[1]](*sys.argv[2:])
