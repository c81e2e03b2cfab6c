"""The same work done by Inspect (PyPI inspect-ai), with a mock model that answers from a script.

    inspect_bench.py KIND SAMPLES LOGS

KIND is `react` (two model calls, one tool call in the process, `submit`) or `mcp` (the tool comes
from an MCP server over stdio, one process for each sample). Prints one JSON line."""
import json
import os
import resource
import sys

from inspect_ai import Task, eval as run
from inspect_ai.agent import react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.tool import mcp_server_stdio, tool


@tool
def add():
    async def execute(a: int, b: int) -> str:
        """Add two integers.

        Args:
            a: first addend
            b: second addend
        """
        return str(a + b)

    return execute


def answer(messages, tools, tool_choice, config):
    number = int(next(m for m in messages if m.role == "user").text.split()[1])
    told = [m for m in messages if isinstance(m, ChatMessageTool)]
    if told:
        output = ModelOutput.for_tool_call("mockllm", "submit", {"answer": told[-1].text})
    else:
        output = ModelOutput.for_tool_call("mockllm", "add", {"a": number, "b": number + 1})
    output.usage = ModelUsage(input_tokens=120, output_tokens=12, total_tokens=132)
    return output


def seconds(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def main():
    kind, samples, logs = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    server = os.path.join(os.path.dirname(os.path.abspath(__file__)), "adder_mcp.py")
    tools = {
        "react": lambda: add(),
        "mcp": lambda: mcp_server_stdio(name="adder", command=sys.executable, args=[server]),
    }[kind]()
    dataset = MemoryDataset(
        [
            Sample(
                id=f"t{i:06d}",
                input=f"Add {i} and {i + 1} and submit the sum.",
                target=str(2 * i + 1),
            )
            for i in range(samples)
        ]
    )
    task = Task(dataset=dataset, solver=react(tools=[tools]), scorer=includes(), name="bench")
    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    [log] = run(task, model=model, log_dir=logs, display="none")
    accuracy = log.results.scores[0].metrics["accuracy"].value if log.results else None
    if log.status != "success" or accuracy != 1.0:
        sys.exit(f"error: Inspect ended with {log.status}, accuracy {accuracy}: {log.error}")
    print(
        json.dumps(
            {
                "rollouts": samples,
                "own_s": seconds(resource.RUSAGE_SELF),
                "servers_s": seconds(resource.RUSAGE_CHILDREN),
                "peak_kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
                "stored": os.path.getsize(log.location.removeprefix("file://")),
            }
        )
    )


main()
