"""verifiers loads an environment that was exported and plays it against a client that answers from a list.

Usage: write_verifiers_env.py FOLDER ENVIRONMENT PACKAGE [URL]
"""

import asyncio
import importlib
import json
import sys
from pathlib import Path

from verifiers.clients import Client
from verifiers.types import Response, ResponseMessage, ToolCall, Usage

folder, environment, package = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
url = sys.argv[4] if len(sys.argv) > 4 else None
sys.path.insert(0, environment)


class Clerk(Client):
    """Pays every order in full; the second time it is asked of one, too little. Order 43 it never finishes."""

    def __init__(self):
        super().__init__(None)
        self.asked = {}

    def setup_client(self, config):
        return None

    async def to_native_tool(self, tool):
        return tool

    async def to_native_prompt(self, messages):
        return messages, {}

    async def get_native_response(self, prompt, model, sampling_args, tools=None, **kwargs):
        ask = next(str(message.content) for message in prompt if message.role == "user")
        order = ask.split()[-1].rstrip(".")
        is_first = prompt[-1].role == "user"
        self.asked[order] = self.asked.get(order, 0) + is_first
        amount = 18.5 if self.asked[order] == 1 else 1.25
        calls = is_first or order == "43"
        call = ToolCall(id=f"c{len(prompt)}", name="refund", arguments=json.dumps({"order": order, "amount": amount}))
        return Response(
            id="r",
            created=0,
            model=model,
            usage=Usage(prompt_tokens=20, reasoning_tokens=0, completion_tokens=5, total_tokens=25),
            message=ResponseMessage(
                content="" if calls else f"Done: {prompt[-1].content}",
                tool_calls=[call] if calls else None,
                finish_reason="tool_calls" if calls else "stop",
                is_truncated=False,
            ),
        )

    async def raise_from_native_response(self, response):
        return None

    async def from_native_response(self, response):
        return response

    async def close(self):
        return None


env = importlib.import_module(package).load_environment(url=url)
asyncio.run(
    env.evaluate(
        Clerk(),
        "clerk-1",
        sampling_args={"temperature": 0.0},
        num_examples=-1,
        rollouts_per_example=2,
        max_concurrent=1,
        results_path=folder,
        save_results=True,
    )
)
