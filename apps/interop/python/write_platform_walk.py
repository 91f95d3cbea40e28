"""The Python SDK as a client of our server: every call of its platform half, and what came back.

Nothing of the SDK is changed: it is told where the platform is by its own environment variables.

Usage: write_platform_walk.py FOLDER URL SESSION ROWS_JSONL
"""

import json
import os
import re
import sys
import urllib.request
import warnings
from pathlib import Path

folder, url, session, rows_path = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
for name in ("WHILEAI_API_URL", "WHILEAI_PLATFORM_URL", "WHILEAI_MODELS_URL", "WHILEAI_TRACE_URL"):
    os.environ[name] = url
os.environ["WHILEAI_HOME"] = str(folder / "home")
warnings.simplefilter("ignore")

import whileai  # noqa: E402  the environment comes first
import whileai.platform as platform  # noqa: E402
import whileai.simulations as sim  # noqa: E402
from whileai.auth import status  # noqa: E402

steps = []


def plain(value):
    """What a call gave, as JSON."""
    if hasattr(value, "model_dump"):
        return value.model_dump(by_alias=True)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    return str(value)


def step(name, call):
    try:
        answer = call()
        steps.append({"call": name, "ok": True, "answer": plain(answer)})
        return answer
    except Exception as error:  # noqa: BLE001  what went wrong is the finding
        steps.append({"call": name, "ok": False, "error": f"{type(error).__name__}: {error}"[:500]})
        return None


def approve(text):
    """A person who opens the link, signed in, and presses Approve."""
    code = re.search(r"\b[A-Z]{4}-[A-Z]{4}\b", str(text))
    if code is None or approve.done:
        return
    approve.done = True
    request = urllib.request.Request(
        f"{url}/device/decide",
        data=json.dumps({"user_code": code.group(0), "approve": True}).encode(),
        headers={"Authorization": f"Bearer {session}", "Content-Type": "application/json"},
        method="POST",
    )
    urllib.request.urlopen(request).read()


approve.done = False
rows = [json.loads(line) for line in Path(rows_path).read_text(encoding="utf-8").splitlines() if line.strip()]

# Signing in: an account of one's own first, in a folder of its own
os.environ["WHILEAI_HOME"] = str(folder / "second")
step("signup", lambda: whileai.signup("grace@example.org", name="second", out=lambda text: None)[:3])
step("account of a trial", lambda: whileai.account()["tier"])
os.environ["WHILEAI_HOME"] = str(folder / "home")
step("login", lambda: bool(whileai.login(name="python", open_browser=False, timeout=60, out=approve)))
step("status", lambda: {key: status().get(key) for key in ("configured", "source", "tier", "api_url")})
step("account", lambda: whileai.account())
step("issue_delegated_credential", lambda: bool(sim.issue_delegated_credential(session)))

# Datasets
pushed = step("push_rows", lambda: sim.push_rows(rows, "python set", agent="Python Bot", mode="rl", holdout=0.4))
dataset = (pushed or {}).get("datasetId", "ds_0000000000000000")
step("push_file", lambda: sim.push_file(rows_path, "python file", gate=False))
step("datasets", lambda: len(sim.datasets()["datasets"]))
step("pull", lambda: sim.pull(dataset) == [row for row in rows if row in sim.pull(dataset)])
step("pull to a file", lambda: Path(sim.pull(dataset, str(folder / "pulled.jsonl"))).exists())
step("profile", lambda: sim.profile(dataset))
step("preview", lambda: len(sim.preview(dataset)["rows"]))
step("update_dataset", lambda: sim.update_dataset(dataset, purpose="eval", description="changed")["purpose"])
step("publish", lambda: sim.publish(dataset, "Python Bot"))
step("catalog", lambda: [card["datasetId"] for card in sim.catalog()["datasets"]] == [dataset])
step("unpublish", lambda: sim.unpublish(dataset))
step("delete_empty_datasets", lambda: sim.delete_empty_datasets(dry_run=True))

# Agents
step("register_agent", lambda: sim.register_agent("Python Bot", description="a bot", tools=[{"name": "refund"}]))
step("agents", lambda: sorted(agent["id"] for agent in sim.agents()))
bot = step(
    "track",
    lambda: platform.track(
        "refund bot",
        model="Qwen/Qwen3-4B",
        harness=platform.Harness(instructions="Be brief.", tools=["refund"], model="Qwen/Qwen3-4B"),
        frontier={"name": "Sonnet 5", "score": 81.0, "costPer1k": 18.0},
    ),
)
step("tracked_agents", lambda: sorted(agent.id for agent in platform.tracked_agents()))
step(
    "behavior",
    lambda: bot.behavior(
        "refunds",
        testVersion="t1",
        n=240,
        judge=platform.Judge(name="rubric", agreement=0.86, humanN=60, lengthBias=0.08, verified=True),
        contamination=0,
        rewardIsJudge=False,
    ),
)
step("behavior, rubric alone", lambda: bot.behavior("refunds", rubric="Passes when the refund is made."))
step("behaviors", lambda: bot.behaviors())
reruns = [[{"task_id": f"t{i}", "reward": float((i + shift) % 3 > 0)} for i in range(60)] for shift in range(3)]
step("noise_floor", lambda: bot.noise_floor("refunds", *reruns)["noise_floor"])
step("experiment, none yet", lambda: bot.experiment())
step("experiment", lambda: bot.experiment("Does GRPO help?", hypothesis="It does.", decide="+3 points"))
step("experiment, read", lambda: bot.experiment())

# Runs
graded = [
    {"ok": i % 4 > 0, "prompt": f"Refund order {i}", "reply": "Done.", "why": "w", "tags": {"kind": "a" if i % 2 else "b"}}
    for i in range(620)
]
base = step("run", lambda: bot.run("base", method="eval", targets=["refunds"]))
step("score", lambda: base.score("refunds", 0.615, ci=0.0375, n=240, testVersion="t1", fraction=True, rows=graded))
step("finish", lambda: base.finish(hours=0.1, cost_usd=1.0, say=False))
grpo = step("run with a record", lambda: bot.run("grpo-1", method="GRPO", targets=["refunds"], trainedOn=["python set"]))
for i in range(60):
    grpo.log(i, reward=0.3 + i / 200, kl=0.001 * i, completion_length=180.0, broken=float("nan"))
step("log and flush", lambda: grpo.flush())
step("score of a version", lambda: grpo.score("refunds", 83.0, ci=2.7, n=240, testVersion="t1", rows=graded[:40]))
step("rows, read back", lambda: len(base.rows("refunds")))
step("note", lambda: grpo.note("The reward climbed."))
step("finish with facts", lambda: grpo.finish(hours=2.1, gpu="1xH100", cost_usd=31.0, summary={"train_loss": 0.9}, say=False))
step("runs", lambda: [run["version"] for run in bot.runs()])
opened = step("open", lambda: bot.open(grpo.run_id if hasattr(grpo, "run_id") else grpo.id))
step("open, what it holds", lambda: {"step": opened.step, "scores": len(opened.scores), "notes": opened.notes})
step(
    "figure",
    lambda: bot.figure("reward-by-step", {"data": [{"x": [1, 2], "y": [0.1, 0.4]}], "layout": {"title": "Reward"}}, caption="c", run=grpo),
)
step("figures", lambda: [figure.name for figure in bot.figures()])
step("promote", lambda: bot.promote("base"))
step("verdict", lambda: bot.verdict("refunds"))
step("brief", lambda: bot.brief())
step("evals", lambda: bot.evals())
step("dashboard", lambda: bot.dashboard("refunds"))
step("live", lambda: bot.live("2026-09-17", version="base", replies=2400, flagged=98, p50_s=0.6, cost_usd=1.7))
failed = step("fail", lambda: bot.run("broken").fail("ValueError: boom"))
step("archive", lambda: bot.archive(grpo.run_id if hasattr(grpo, "run_id") else grpo.id)["archived"])
step("unarchive", lambda: bot.unarchive(grpo.run_id if hasattr(grpo, "run_id") else grpo.id)["archived"])

# A run of any trainer
run = step("training_run", lambda: sim.training_run("tiny sft", base_model="Qwen/Qwen3-4B", total_steps=40, flush_every=10))
for i in range(40):
    run.log(i, loss=2.0 / (i + 1), lr=1e-4)
step("training_run.progress", lambda: run.progress(40, 50))
step("training_run.holdout", lambda: run.holdout(0.42, 0.58))
step("training_run.finish", lambda: run.finish(summary={"gpu": "A10G", "seconds": 56.4}))
step("get_run", lambda: {k: v for k, v in sim.get_run(run.run_id if hasattr(run, "run_id") else run.id).items() if k in ("status", "summary", "name")})
step("get_run, points", lambda: len(sim.get_run(run.run_id if hasattr(run, "run_id") else run.id)["series"]))
step("list_runs", lambda: [one["name"] for one in sim.list_runs()])
step("attach_holdout", lambda: sim.attach_holdout(run.run_id if hasattr(run, "run_id") else run.id, 0.4, 0.6))
step("delete_run of a trainer", lambda: sim.delete_run(run.run_id if hasattr(run, "run_id") else run.id))

# The end
step("delete_run", lambda: bot.delete_run(grpo.run_id if hasattr(grpo, "run_id") else grpo.id))
step("delete", lambda: bot.delete())
# A name with a space is put into a URL as it is, which the SDK itself then refuses
step("purge_agent, dry", lambda: sim.purge_agent("Python-Bot", dry_run=True))
step("purge_agent", lambda: sim.purge_agent("Python-Bot"))
step("delete_dataset", lambda: [sim.delete_dataset(one["datasetId"]) for one in sim.datasets()["datasets"]])
step("datasets, none left", lambda: sim.datasets()["datasets"])
step("hf_status", lambda: sim.hf_status())
step("logout", lambda: whileai.logout())
(folder / "steps.json").write_text(json.dumps(steps, ensure_ascii=False, default=str), encoding="utf-8")
