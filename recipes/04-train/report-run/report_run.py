"""The same report over plain HTTP, for a trainer in any language: no package, nothing but the standard library.

Usage: WHILEAI_API_URL=http://127.0.0.1:8787 WHILEAI_API_KEY=zp_... python3 report_run.py
"""

import json
import math
import os
import random
import urllib.request

URL, KEY = os.environ["WHILEAI_API_URL"].rstrip("/"), os.environ["WHILEAI_API_KEY"]


def call(method, path, body=None):
    """One call. Points, rows and a run's end may be sent again after a failure: they are stored once."""
    request = urllib.request.Request(
        URL + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"X-Api-Key": KEY, "Content-Type": "application/json"},
        method=method,
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or b"{}")


# 1. A training run of any trainer: opened, logged in batches, finished.
run = call("POST", "/runs", {"name": "tiny regression", "base_model": "y = a x + b", "total_steps": 60})["runId"]
chance = random.Random(0)
data = [(x, 3 * x + 1 + chance.gauss(0, 0.1)) for x in (chance.uniform(-1, 1) for _ in range(64))]
a = b = 0.0
points = []
for step in range(60):
    errors = [(a * x + b - y, x) for x, y in data]
    a -= 0.3 * sum(error * x for error, x in errors) / len(errors)
    b -= 0.3 * sum(error for error, _ in errors) / len(errors)
    points.append({"step": step, "ts": float(step), "loss": sum(error * error for error, _ in errors) / len(errors)})
    if len(points) == 25 or step == 59:
        call("POST", f"/runs/{run}/log", {"points": points})
        points = []
call("POST", f"/runs/{run}/finish", {"status": "done", "summary": {"a": round(a, 3), "b": round(b, 3)}})

# 2. A version of an agent with a score and its graded rows.
call("POST", "/agents", {"id": "line-fitter", "name": "line fitter", "model": "y = a x + b"})
call("PUT", "/agents/line-fitter/behaviors/close_enough", {"testVersion": "grid-60", "n": 60, "gradedBy": "program"})
grid = [-1 + i / 30 for i in range(60)]
rows = [
    {"ok": abs(a * x + b - (3 * x + 1)) < 0.05, "prompt": f"x = {x:.3f}", "reply": f"y = {a * x + b:.3f}"} for x in grid
]
share = sum(row["ok"] for row in rows) / len(rows)
half = 1.96 * math.sqrt(share * (1 - share) / len(rows))
version = call("POST", "/runs", {"agent": "line-fitter", "version": "sgd-60", "method": "SGD", "targets": ["close_enough"]})["id"]
score = {"behavior": "close_enough", "score": round(100 * share, 1), "ci": round(100 * half, 1), "n": 60, "testVersion": "grid-60"}
call("POST", f"/runs/{version}/evals", [score])
call("POST", f"/runs/{version}/evals/close_enough/rows", {"rows": rows, "offset": 0, "expected": len(rows)})
call("PATCH", f"/runs/{version}", {"status": "evaluated", "hours": 0.01, "costUsd": 0})

done = call("GET", f"/runs/{run}")
kept = call("GET", f"/runs/{version}/evals/close_enough/rows/summary")
print(f"{done['name']}: {done['status']}, {len(done['series'])} points, loss {done['series'][-1]['loss']:.4f}")
print(f"line-fitter sgd-60: {score['score']} of 100 on 60, {kept['passed']} of {kept['n']} rows passed")
