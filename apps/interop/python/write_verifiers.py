"""verifiers plays a tool environment of two tasks three times against a client that answers from a list.

Usage: write_verifiers.py FOLDER
"""

import asyncio
import json
import sys
from pathlib import Path

import verifiers as vf
from datasets import Dataset
from verifiers.clients import Client
from verifiers.types import Response, ResponseMessage, ToolCall, Usage


def refund(order: str, amount: float) -> str:
    """Refund an order.

    Args:
        order: Number of the order.
        amount: What is paid back.
    """
    return f"refunded {amount} for {order}"


class Clerk(Client):
    """Calls the tool once and then answers; the third time it is asked of order 7 its connection breaks."""

    def __init__(self):
        super().__init__(None)
        self.asked = {"42": 0, "7": 0}

    def setup_client(self, config):
        return None

    async def to_native_tool(self, tool):
        return tool

    async def to_native_prompt(self, messages):
        return messages, {}

    async def get_native_response(self, prompt, model, sampling_args, tools=None, **kwargs):
        order = "42" if "42" in str(prompt[1].content) else "7"
        is_first = prompt[-1].role == "user"
        self.asked[order] += is_first
        if order == "7" and self.asked[order] == 3:
            raise ConnectionError("the line is dead")
        call = ToolCall(id="call_1", name="refund", arguments=json.dumps({"order": order, "amount": 12.5}))
        said = "" if is_first else ("No." if self.asked["42"] == 2 and order == "42" else f"Done: {order} ✓")
        return Response(
            id="r",
            created=0,
            model=model,
            usage=Usage(prompt_tokens=20, reasoning_tokens=0, completion_tokens=5, total_tokens=25),
            message=ResponseMessage(
                content=said,
                tool_calls=[call] if is_first else None,
                finish_reason="tool_calls" if is_first else "stop",
                is_truncated=False,
            ),
        )

    async def raise_from_native_response(self, response):
        return None

    async def from_native_response(self, response):
        return response

    async def close(self):
        return None


def contains(completion, answer, **kwargs) -> float:
    return float(answer in str(completion[-1].content))


def brief(completion, **kwargs) -> float:
    return 0.5


env = vf.ToolEnv(
    tools=[refund],
    dataset=Dataset.from_list(
        [
            {"question": "Refund order 42.", "answer": "42", "info": {"hidden": "old"}},
            {"question": "Refund order 7, née “Été”.", "answer": "7", "info": {"hidden": "note"}},
        ]
    ),
    system_prompt="You refund orders.",
    rubric=vf.Rubric(funcs=[contains, brief], weights=[1.0, 0.0]),
    env_id="refunds",
    max_turns=4,
)
asyncio.run(
    env.evaluate(
        Clerk(),
        "clerk-1",
        sampling_args={"temperature": 0.0, "max_tokens": 64},
        rollouts_per_example=3,
        max_concurrent=1,
        results_path=Path(sys.argv[1]).resolve(),
        save_results=True,
    )
)
