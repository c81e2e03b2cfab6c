#!/usr/bin/env python3
"""A harness of one's own: crossbar starts it, and it speaks JSON lines on its standard streams.

It asks the model, carries out the calls that the model wants, and answers when there are none: the
smallest loop that there is. docs/command-harness.md has the messages."""

import json
import sys


def tell(**message):
    print(json.dumps(message), flush=True)


def hear():
    line = sys.stdin.readline()
    message = json.loads(line) if line else {"type": "stop"}
    if message["type"] == "stop":
        sys.exit(0)
    return message


start = hear()
tell(type="hello", protocol=1, version="1.0")
messages = [{"role": "user", "text": start["prompt"]}]
while True:
    tell(type="ask", system=start["instructions"], messages=messages)
    reply = hear()
    messages.append({"role": "assistant", "text": reply["text"], "calls": reply["calls"], "own": reply.get("own")})
    if not reply["calls"]:
        tell(type="answer", text=reply["text"])
        break
    for call in reply["calls"]:
        tell(type="call", id=call["id"])
        result = hear()
        messages.append({"role": "tool", "id": call["id"], "text": result["text"], "is_error": result["is_error"]})
