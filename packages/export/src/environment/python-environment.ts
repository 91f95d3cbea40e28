import type { EnvironmentSettings } from "./environment-options.ts";
import type { EnvironmentReport } from "./environment-report.ts";
import { formatEnvironmentReport } from "./format-environment-report.ts";

/** Examples and rollouts of an evaluation that nobody configures. */
const EVAL_EXAMPLES = 5;
const EVAL_ROLLOUTS = 3;
/** The first release whose tool environments take schemas instead of functions. */
const VERIFIERS = ">=0.1.14";

/** The project file of the package. */
export function pythonProject({ slug, description }: EnvironmentSettings): string {
  return `[project]
name = "${slug}"
version = "0.1.0"
description = ${JSON.stringify(description === "" ? `Tasks of ${slug} for grouped RL` : description)}
requires-python = ">=3.11,<3.14"
dependencies = ["verifiers${VERIFIERS}"]

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build]
include = ["${slug}/**"]

[tool.verifiers.eval]
num_examples = ${EVAL_EXAMPLES}
rollouts_per_example = ${EVAL_ROLLOUTS}
`;
}

/** What a person reads first: how to load it, who answers, and whether it teaches anything. */
export function environmentReadme(
  { slug, description, runtime, reward, execute }: EnvironmentSettings,
  report: EnvironmentReport,
): string {
  const who =
    runtime === "http"
      ? `Tools are answered and rollouts are graded by \`${execute}\` and \`${reward}\`, relative to this folder, in a server:

\`\`\`sh
wai env serve . --port 8000
\`\`\`

The Python package is a client of it: \`load_environment(url="http://127.0.0.1:8000")\`.`
      : `Tools are answered by \`${execute}(name, arguments, context)\` and rollouts are graded by \`${reward}(rollout)\`, both
imported in the trainer's process. \`context\` and \`rollout\` have the task's \`info\`, with what only a grader may see.`;
  return `# ${slug}

${description === "" ? "Tasks that rollouts were made on, for grouped RL." : description}

\`\`\`python
from ${slug} import load_environment

env = load_environment()
\`\`\`

${who}

A rollout that is cut by the turn cap earns 0 and is marked \`truncated\`. Where the grader failed the reward is 0 too, with
\`judge_ok\` 0: leave those rollouts out of the update, they are no failures of the agent. All rollouts of a task begin
in the same world.

\`\`\`text
${formatEnvironmentReport(report)}
\`\`\`
`;
}

/** `__init__.py`: one class for both runtimes, which differ in who is asked. */
export const PYTHON_ENVIRONMENT: string = String.raw`"""Tasks for grouped RL, as an environment of verifiers. Made by an export; spec.json says what is in it."""

import asyncio
import copy
import hashlib
import importlib
import inspect
import json
import urllib.request
from pathlib import Path

import verifiers as vf
from datasets import Dataset

HERE = Path(__file__).parent
SPEC = json.loads((HERE / "spec.json").read_text("utf8"))
RECORDED = ("n_calls", "judge_ok", "truncated", "trace_clean")


def harness_for(key, mix, seed=0):
    """The harness of a task: the same for all rollouts of its group."""
    total = sum(weight for _, weight in mix)
    share = int.from_bytes(hashlib.sha256(f"{seed}:{key}".encode()).digest()[:8], "big") / 2**64
    reached = 0.0
    for label, weight in mix:
        reached += weight / total
        if share < reached:
            return label
    return mix[-1][0] if mix else None


def tasks(split, harness_mix="uniform", seed=0):
    """The rows of a split: prompt, info as one JSON text, and the id of the task."""
    harnesses = {harness["label"]: harness for harness in SPEC.get("harnesses", [])}
    mix = [(label, 1.0) for label in harnesses] if harness_mix == "uniform" else list(harness_mix)
    out = []
    for line in (HERE / "data" / f"{split}.jsonl").read_text("utf8").splitlines():
        task = json.loads(line)
        info = json.loads(task["info"]) if isinstance(task["info"], str) else task["info"]
        label = harness_for(info.get("scenario_id") or task["prompt"], mix, seed)
        rules = [SPEC["system_prompt"], harnesses.get(label, {}).get("instructions", "")]
        system = "\n\n".join(text for text in rules if text)
        prompt = [{"role": "system", "content": system}] if system else []
        info |= {"prompt": task["prompt"], "harness": label}
        if harnesses.get(label, {}).get("tools"):
            info["tool_defs"] = harnesses[label]["tools"]
        out.append({"prompt": [*prompt, {"role": "user", "content": task["prompt"]}], "info": json.dumps(info)})
    return out


def resolve(reference):
    """module:attribute as what it names."""
    if callable(reference):
        return reference
    module, _, path = reference.partition(":")
    found = importlib.import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    return found


async def called(function, *arguments):
    answer = function(*arguments)
    return await answer if inspect.isawaitable(answer) else answer


def world_of(state):
    """A task's own world: an object, the JSON text of one, or any other text under its name."""
    if isinstance(state, dict):
        return state
    if not state:
        return {}
    try:
        parsed = json.loads(state)
    except ValueError:
        parsed = None
    return parsed if isinstance(parsed, dict) else {"world_state": state}


class Here:
    """Tools and grader are functions of this process."""

    def __init__(self, execute, reward, world):
        self.execute, self.reward, self.world = resolve(execute), resolve(reward), world

    async def open(self, info):
        seed = info.get("seed")
        if seed is None:
            seed = int(hashlib.sha1(info["task_id"].encode()).hexdigest()[:8], 16)
        state = copy.deepcopy({**self.world, **world_of(info.get("world_state"))})
        return {"info": info, "state": state, "seed": seed, "harness": info.get("harness"), "turn": 0}

    async def step(self, session, name, arguments):
        session["turn"] += 1
        return await called(self.execute, name, arguments, session)

    async def score(self, session, messages, truncated):
        rollout = {**session, "prompt": session["info"]["prompt"], "messages": messages, "truncated": truncated}
        answer = await called(self.reward, rollout)
        answer = answer if isinstance(answer, dict) else {"reward": answer}
        return {"reward": float(answer["reward"]), "metrics": answer.get("metrics", {})}


class There:
    """Tools and grader are in a server, which keeps its secrets."""

    def __init__(self, url):
        self.url = url.rstrip("/")

    async def post(self, path, body):
        def send():
            data = json.dumps(body).encode()
            request = urllib.request.Request(self.url + path, data, {"content-type": "application/json"})
            with urllib.request.urlopen(request, timeout=300) as response:
                return json.load(response)

        return await asyncio.to_thread(send)

    async def open(self, info):
        return (await self.post("/reset", {"task_id": info["task_id"]}))["session"]

    async def step(self, session, name, arguments):
        return (await self.post("/step", {"session": session, "tool": name, "arguments": arguments}))["result"]

    async def score(self, session, messages, truncated):
        return await self.post("/score", {"session": session, "messages": messages, "truncated": truncated})


def plain(message):
    """A message of verifiers in the shape of the API."""
    message = message if isinstance(message, dict) else message.model_dump(exclude_none=True)
    out = {key: message[key] for key in ("role", "content", "tool_call_id", "name") if message.get(key) is not None}
    calls = [call if isinstance(call, dict) else call.model_dump() for call in message.get("tool_calls") or []]
    if calls:
        out["tool_calls"] = [
            {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
            for call in calls
        ]
    return out


class WhileEnv(vf.MultiTurnEnv):
    """An agent with tools, until it replies without a call."""

    def __init__(self, world, **options):
        super().__init__(tool_defs=SPEC["tools"], max_turns=SPEC["max_turns"], **options)
        self.world = world
        rubric = vf.Rubric(funcs=[self.reward], weights=[1.0])
        for name in RECORDED:
            rubric.add_metric(self.recorded(name))
        self.add_rubric(rubric)

    async def setup_state(self, state):
        state["world"] = await self.world.open(state["info"])

    @vf.stop
    async def replied(self, state):
        if not state["trajectory"]:
            return False
        last = state["trajectory"][-1]["completion"][-1]
        return last.role == "assistant" and not last.tool_calls

    async def env_response(self, messages, state, **_):
        answers = []
        for call in messages[-1].tool_calls or []:
            try:
                arguments = json.loads(call.arguments)
                result = await self.world.step(state["world"], call.name, arguments)
            except Exception as error:
                # What an agent does wrong is told to it: it may do better.
                result = {"error": f"{type(error).__name__}: {error}"}
            text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
            answers.append({"role": "tool", "tool_call_id": call.id, "content": text})
        return answers

    async def scored(self, state):
        """Graded once a rollout; a grader that failed is said, and is no failure of the agent."""
        if "scored" in state:
            return state["scored"]
        messages = [plain(message) for message in [*state["prompt"], *state["completion"]]]
        calls = sum(len(message.get("tool_calls", [])) for message in messages)
        truncated = not await self.replied(state) or bool(state.get("is_truncated"))
        try:
            answer = await self.world.score(state["world"], messages, truncated)
            metrics = {"judge_ok": 1.0, **answer.get("metrics", {})}
            value = 0.0 if truncated else answer["reward"]
        except Exception as error:
            state["judge_status"], state["judge_error"] = "error", f"{type(error).__name__}: {error}"
            value, metrics = 0.0, {"judge_ok": 0.0}
        state["scored"] = {"reward": value, "metrics": {"n_calls": calls, "truncated": float(truncated), **metrics}}
        return state["scored"]

    async def reward(self, state) -> float:
        return (await self.scored(state))["reward"]

    def recorded(self, name):
        async def metric(state) -> float:
            return float((await self.scored(state))["metrics"].get(name) or 0.0)

        metric.__name__ = name
        return metric


def load_environment(
    split="train",
    url=None,
    execute=None,
    reward=None,
    world=None,
    harness_mix="uniform",
    seed=0,
    **options,
):
    """The environment of spec.json; with url its tools and grader are asked there."""
    remote = SPEC["runtime"] == "http" if execute is None and reward is None else False
    if remote or url is not None:
        backend = There(url or "http://127.0.0.1:8000")
    else:
        backend = Here(execute or SPEC["execute"], reward or SPEC["reward"], world or SPEC.get("world", {}))
    held_out = tasks("holdout", harness_mix, seed)
    return WhileEnv(
        backend,
        dataset=Dataset.from_list(tasks(split, harness_mix, seed)),
        eval_dataset=Dataset.from_list(held_out) if held_out else None,
        env_id=SPEC["name"],
        **options,
    )
`;
