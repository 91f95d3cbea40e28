"""MLflow traces an agent that calls a tool, evaluates it with two scorers of its own, and its traces are saved.

Usage: write_mlflow.py FOLDER
"""

import json
import logging
import os
import sys
from pathlib import Path

folder = Path(sys.argv[1]).resolve()
folder.mkdir(parents=True, exist_ok=True)
os.environ.update(MLFLOW_DISABLE_TELEMETRY="true", DO_NOT_TRACK="1", MLFLOW_ALLOW_FILE_STORE="true")
os.environ.update(MLFLOW_GENAI_EVAL_MAX_WORKERS="1")

import mlflow  # noqa: E402  (its settings are read when it is imported)
from mlflow.entities import SpanType  # noqa: E402
from mlflow.genai import evaluate, scorer  # noqa: E402

logging.getLogger("mlflow").setLevel(logging.ERROR)
mlflow.set_tracking_uri(f"file://{folder}/store")
mlflow.set_experiment("refunds")


@mlflow.trace(span_type=SpanType.TOOL)
def refund(order: str, amount: float):
    return f"refunded {amount} for {order}"


@mlflow.trace(span_type=SpanType.CHAT_MODEL, attributes={"model": "clerk-1"})
def clerk(messages):
    if "13" in messages[-1]["content"]:
        raise ConnectionError("the line is dead")
    order = messages[-1]["content"].split()[-1]
    said = "No." if order == "42" and len(asked) == 2 else f"Done: {order} ✓"
    return {"role": "assistant", "content": said}


asked = []


@mlflow.trace(span_type=SpanType.AGENT)
def agent(ask):
    asked.append(ask)
    order = ask.split()[-1]
    if order != "13":
        refund(order=order, amount=12.5)
    return clerk([{"role": "user", "content": ask}])["content"]


@scorer
def contains(outputs, expectations):
    return outputs is not None and expectations["order"] in outputs


@scorer
def brief(outputs):
    return 0.5


def case(order):
    return {"inputs": {"ask": f"Rembourse “Été” {order}"}, "expectations": {"order": order}}


evaluate(data=[case("42"), case("42"), case("7"), case("13")], predict_fn=agent, scorers=[contains, brief])
traces = mlflow.search_traces(return_type="list")
with (folder / "traces.jsonl").open("w", encoding="utf-8") as lines:
    for trace in traces:
        lines.write(json.dumps(json.loads(trace.to_json()), ensure_ascii=False) + "\n")
