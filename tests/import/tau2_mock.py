"""tau2's own loop over its domain `mock`, with models that answer from a table: no network, no key."""
import json
import sys

import litellm
from litellm import ModelResponse
from tau2.data_model.simulation import TextRunConfig
from tau2.runner import batch
from tau2.utils import llm_utils

MODEL, OUT = sys.argv[1:3]
WRONG = {"gpt-4.1": (), "gpt-4.1-mini": ("update_task_1",)}[MODEL]
CALLS = {
    "Important Meeting": ("create_task_1", "create_task", {"user_id": "user_1", "title": "Important Meeting"}),
    "task_1": ("update_task_1", "update_task_status", {"task_id": "task_1", "status": "completed"}),
}


def answer(model, messages, tools=None, **_):
    text = json.dumps(messages)
    calls = None
    if model == MODEL:  # the agent
        _, (task, name, arguments) = next((k, v) for k, v in CALLS.items() if k in text)
        content = "It is done."
        if messages[-1]["role"] == "user" and task not in WRONG:
            content = None
            calls = [{"id": "c1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}]
    else:  # the simulated user
        asked = sum(message["role"] == "assistant" for message in messages)
        goal = "a task called Important Meeting" if "Important Meeting" in text else "task_1 to be completed"
        content = f"Please, I want {goal}." if asked == 0 else "###STOP###"
    return ModelResponse(
        model=model,
        choices=[{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content, "tool_calls": calls}}],
        usage={"prompt_tokens": 400, "completion_tokens": 20, "total_tokens": 420},
    )


llm_utils.completion = answer
config = TextRunConfig(
    domain="mock", task_ids=["create_task_1", "update_task_1"], num_trials=2, max_concurrency=1, seed=1,
    llm_agent=MODEL, llm_user="gpt-4.1-nano", save_to=OUT, auto_resume=True,
)
results = batch.run_domain(config)
for one in results.simulations:
    print(one.task_id, one.trial, one.termination_reason, one.reward_info and one.reward_info.reward, one.agent_cost)
