"""Two logs of Inspect over one task, with models that answer from a table: no network, no key."""
import os
import sys

from inspect_ai import Task, eval, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate


@task
def sums():
    samples = [
        Sample(id=f"sum-{n}", input=f"{n} + {n}?", target=str(2 * n), metadata={"family": "even" if n % 2 == 0 else "odd"})
        for n in range(1, 5)
    ]
    return Task(dataset=samples, solver=generate(), scorer=match(location="any"), epochs=2)


def answers(model, wrong):
    def answer(messages, tools, choice, config):
        n = int(messages[-1].text.split()[0])
        out = ModelOutput.from_content(f"mockllm/{model}", "I do not know" if n in wrong else str(2 * n))
        out.usage = ModelUsage(input_tokens=100 + n, output_tokens=10, total_tokens=110 + n)
        return out

    return answer


for model, wrong in (("large", ()), ("small", (2, 3))):
    for kind in ("eval", "json"):
        mock = get_model(f"mockllm/{model}", custom_outputs=answers(model, wrong))
        (log,) = eval(sums(), model=mock, log_format=kind, log_dir="logs", display="none")
        assert log.status == "success", log.error
        os.rename(log.location.removeprefix("file://"), f"{model}.{kind}")
