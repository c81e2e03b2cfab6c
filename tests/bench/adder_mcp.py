"""An MCP server over stdio with one tool, `add`, on the standard library alone: the cheapest
server to start that Python has."""
import json
import sys

NUMBER = {"type": "integer"}
TOOL = {
    "name": "add",
    "description": "Add two integers.",
    "inputSchema": {
        "type": "object",
        "properties": {"a": NUMBER, "b": NUMBER},
        "required": ["a", "b"],
    },
}


def result(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "adder", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        numbers = params["arguments"]
        return {"content": [{"type": "text", "text": str(numbers["a"] + numbers["b"])}]}
    return {} if method == "ping" else None


for line in sys.stdin:
    if not line.strip():
        continue
    request = json.loads(line)
    if "id" not in request:
        continue
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    answer = result(request.get("method"), request.get("params") or {})
    if answer is None:
        reply["error"] = {"code": -32601, "message": f"no method {request.get('method')}"}
    else:
        reply["result"] = answer
    print(json.dumps(reply), flush=True)
