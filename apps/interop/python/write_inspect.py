"""Inspect runs two samples three times on its mock model, with a tool and two scorers, and writes its log both ways.

With a log of somebody else it does not play: it reads that log, by its head and whole, and writes what it is to Inspect
into read.json.

Usage: write_inspect.py FOLDER [LOG]
"""

import json
import sys
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, includes, mean, scorer
from inspect_ai.solver import generate, system_message, use_tools
from inspect_ai.tool import tool

if len(sys.argv) > 2:
    head = read_eval_log(sys.argv[2], header_only=True)
    log = read_eval_log(sys.argv[2])
    samples = [
        {
            "id": sample.id,
            "epoch": sample.epoch,
            "scores": {name: score.value for name, score in (sample.scores or {}).items()},
            "said": sample.output.completion,
            "calls": [
                [call.function, call.arguments]
                for message in sample.messages
                if message.role == "assistant"
                for call in message.tool_calls or []
            ],
            "roles": [message.role for message in sample.messages],
            "error": sample.error.message if sample.error else None,
        }
        for sample in log.samples
    ]
    told = {"status": head.status, "task": log.eval.task, "model": log.eval.model, "samples": samples}
    (Path(sys.argv[1]) / "read.json").write_text(json.dumps(told), encoding="utf-8")
    sys.exit()


@tool
def refund():
    async def execute(order: str, amount: float):
        """Refund an order.

        Args:
            order: Number of the order.
            amount: What is paid back.
        """
        if order == "13":
            raise RuntimeError("the ledger is closed")
        return f"refunded {amount} for {order}"

    return execute


@scorer(metrics=[mean()])
def brevity():
    async def score(state, target):
        return Score(value=0.25, explanation="four words")

    return score


PLAN = [
    ("42", "Done: 42."),
    ("7", "Done: 7."),
    ("42", "No."),
    ("13", None),
    ("42", "Done: 42."),
    ("7", "Née 7 ✓"),
]


def answers():
    """What the model says, sample after sample: a call and then an answer; order 13 breaks the tool and the sample."""
    # Without its own count of tokens the mock model would load a tokenizer from the network.
    usage = ModelUsage(input_tokens=20, output_tokens=5, total_tokens=25)
    for order, said in PLAN:
        call = ModelOutput.for_tool_call("mockllm/model", "refund", {"order": order, "amount": 12.5})
        call.usage = usage
        yield call
        if said is not None:
            answer = ModelOutput.from_content("mockllm/model", said)
            answer.usage = usage
            yield answer


task = Task(
    name="refunds",
    dataset=[
        Sample(id="order-42", input="Refund order 42.", target="42"),
        Sample(id=7, input="Refund order 7, née “Été”.", target="7", metadata={"hidden": "note"}),
    ],
    solver=[system_message("You refund orders."), use_tools(refund()), generate()],
    scorer=[includes(), brevity()],
    epochs=3,
)
[log] = eval(
    task,
    model=get_model("mockllm/model", custom_outputs=answers()),
    log_dir=sys.argv[1],
    log_format="json",
    display="none",
    max_samples=1,
    fail_on_error=False,
)
write_eval_log(log, str(Path(sys.argv[1]) / "refunds.eval"), format="eval")
