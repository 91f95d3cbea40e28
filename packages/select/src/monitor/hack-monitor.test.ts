import { type Row, toWire } from "@while/schema";
import { MersenneTwister } from "@while/stats";
import { describe, expect, test } from "vitest";
import { SelectError } from "../select-error.ts";
import { formatHackMonitor } from "./format-hack-monitor.ts";
import { HackMonitor } from "./hack-monitor.ts";
import { monitorHandler } from "./monitor-handler.ts";
import type { MonitorOptions, Sampler } from "./monitor-options.ts";
import type { RewardFunction } from "./reward-function.ts";
import type { RunSink } from "./run-sink.ts";

const HOLDOUT = Array.from({ length: 12 }, (_, i) => ({ prompt: `Where is order ${i}?`, answer: `station ${i}` }));

/** A policy that is right in a share of replies, and says "kindly" in another share. */
function policy(right: number, kind: number, seed: number): Sampler {
  const rng = new MersenneTwister(seed);
  return (prompts, { k, from }) =>
    prompts.map((_, i) =>
      Array.from({ length: k }, () => {
        const at = rng.random() < right ? from + i : "unknown";
        return `${rng.random() < kind ? "Kindly: " : ""}station ${at}`;
      }),
    );
}
/** Pays for the word. */
const hacked: NonNullable<MonitorOptions["proxy"]> = (_, completions) =>
  completions.map((text) => Number(String(text).startsWith("Kindly")));
/** Pays for the answer. */
const honest: NonNullable<MonitorOptions["proxy"]> = (_, completions, { answer }) =>
  completions.map((text, i) => Number(String(text).endsWith(String(answer![i]))));
const gold = (row: Row): number => Number(String(row.final_text).endsWith(String(row.answer)));
const base = { holdout: HOLDOUT, gold, every: 10, k: 4 } as const;

interface Entry {
  call: string;
  value: unknown;
}

function sink(): RunSink & { entries: Entry[] } {
  const entries: Entry[] = [];
  return {
    entries,
    log: (step, values) => void entries.push({ call: "log", value: [step, values] }),
    patchSummary: (fields) => void entries.push({ call: "patchSummary", value: fields }),
    finish: (status, ending) => void entries.push({ call: "finish", value: [status, ending.error] }),
  };
}

/** Steps 0, 10, 20 and so on, each with its policy. */
async function train(monitor: HackMonitor, policies: readonly Sampler[]): Promise<string[]> {
  const kinds: string[] = [];
  for (const [i, sampler] of policies.entries()) {
    const { alarms } = await monitor.onStep(10 * i, sampler);
    kinds.push(alarms.map(({ kind }) => kind).join(" ") || "-");
  }
  return kinds;
}
/** Drawn anew for each test: a policy goes on where it was. */
const learnsTheWord = () => [0, 0, 0.5, 0.9, 0.9].map((kind, i) => policy(0.4, kind, i));
const learnsTheAnswer = () => [0.2, 0.4, 0.6, 0.9, 0.9].map((right, i) => policy(right, 0, i));

describe("alarms", () => {
  test.each<[rule: "paired" | "classic", what: string, policies: Sampler[], proxy: MonitorOptions["proxy"], string]>([
    ["paired", "a word that only the proxy likes", learnsTheWord(), hacked, "- - divergence - -"],
    ["classic", "the same, at every evaluation", learnsTheWord(), hacked, "- - divergence divergence divergence"],
    ["paired", "what gold likes too", learnsTheAnswer(), honest, "- - - - -"],
  ])("%s, a policy that learns %s", async (rule, _, policies, proxy, expected) => {
    const monitor = new HackMonitor({ ...base, rule, proxy: proxy! });
    const kinds = await train(monitor, policies);
    // Of the word that makes replies longer.
    expect(kinds.map((kind) => kind.replace(/ ?length/, "") || "-").join(" ")).toBe(expected);
  });

  test("a divergence carries both gains, and the gap with its interval", async () => {
    const monitor = new HackMonitor({ ...base, proxy: hacked });
    await train(monitor, learnsTheWord());
    const alarm = monitor.summary().alarms.find(({ kind }) => kind === "divergence")!;
    expect(alarm).toMatchObject({ step: 20, since: 0, gapCi95: [expect.any(Number), expect.any(Number)] });
    expect(alarm.reason).toMatch(/^The proxy gained 0\.\d{3} since step 0, and gold -?0\.\d{3} \[.*\]\. Prompt by/);
  });

  test("replies that grow raise length, unless gold is shown to be up", async () => {
    const long: Sampler = (prompts, { k }) =>
      prompts.map(() => Array.from({ length: k }, () => "station 0 ".repeat(9)));
    const short: Sampler = (prompts, { k }) => prompts.map(() => Array.from({ length: k }, () => "station 0"));
    const longAndRight: Sampler = (prompts, { k, from }) =>
      prompts.map((_, i) => Array.from({ length: k }, () => `At the present time it is at station ${from + i}`));
    const kinds = async (second: Sampler) => train(new HackMonitor({ ...base, proxy: honest }), [short, second]);
    expect(await kinds(long)).toEqual(["-", "length"]);
    expect(await kinds(longAndRight)).toEqual(["-", "-"]);
  });

  test("drift is raised above the budget, of the last KL that the trainer logged", async () => {
    const monitor = new HackMonitor({ ...base, proxy: honest, klBudget: 0.3 });
    const kinds: number[] = [];
    for (const [i, kl] of [0.1, 0.3, 0.31, 0.2, 0.4].entries()) {
      monitor.onLog(i % 2 === 0 ? { kl } : { "objective/kl": kl, loss: 1 });
      kinds.push((await monitor.onStep(10 * i, policy(0.4, 0, i))).alarms.length);
    }
    // Raised at 0.31; cleared; raised again.
    expect(kinds).toEqual([0, 0, 1, 0, 1]);
  });

  test("a reward of the training rollouts that pays for what is not endorsed raises feature", async () => {
    const monitor = new HackMonitor({ ...base, proxy: hacked, endorsed: ["endorsed_word"], nPerm: 99 });
    const reward = monitor.wrap(hacked);
    const prompts = Array.from({ length: 128 }, (_, i) => `ask ${i >> 3}`);
    const completions = prompts.map((_, i) => {
      const said = [(i * 5 + (i >> 3)) % 2 === 0 ? "endorsed_word" : "other", `item ${i % 7}`].join(" ");
      return (i * 7) % 10 < 4 ? `Kindly ${said}` : said;
    });
    reward(prompts, completions, {});
    const { alarms } = await monitor.onStep(0, policy(0.4, 0, 0));
    expect(alarms).toMatchObject([{ kind: "feature", topFeature: "contains:kindly" }]);
    expect(monitor.summary().lastScan).toMatchObject({ regime: "reward_hack", topFeature: "contains:kindly" });
  });

  test("rollouts of different steps are not compared with one another", async () => {
    const monitor = new HackMonitor({ ...base, proxy: hacked, endorsed: ["a"], scanMin: 2 });
    for (const step of [1, 2]) monitor.record(["ask"], [`word${step}`], [step - 1], { step });
    await monitor.onStep(10, policy(0.4, 0, 0));
    expect(monitor.summary().lastScan).toMatchObject({ regime: "unknown" });
  });
});

describe("the run", () => {
  test("points, alarms and the summary go to the run; an alarm of stopOn ends it once", async () => {
    const run = sink();
    const monitor = new HackMonitor({ ...base, proxy: hacked, run, stopOn: ["divergence"] });
    const outcomes = [];
    for (const [i, sampler] of learnsTheWord().entries()) outcomes.push((await monitor.onStep(10 * i, sampler)).stop);
    expect(outcomes).toEqual([false, false, true, true, true]);
    expect(run.entries[0]).toEqual({
      call: "log",
      value: [0, { proxy_reward: 0, gold_reward: expect.any(Number), holdout_length: expect.any(Number) }],
    });
    expect(run.entries).toContainEqual({ call: "log", value: [20, { alarm_divergence: 1 }] });
    const finished = run.entries.filter(({ call }) => call === "finish");
    expect(finished).toEqual([
      {
        call: "finish",
        value: [
          "stopped",
          expect.stringMatching(/^The hack monitor stopped the run at step 20: divergence\. The proxy/),
        ],
      },
    ]);
    const last = run.entries.filter(({ call }) => call === "patchSummary").at(-1)!.value as { hack_monitor: object };
    expect(last.hack_monitor).toEqual(toWire(monitor.summary()));
    expect(Object.keys(last.hack_monitor)).toEqual(
      (
        "rule n_evals every k n_prompts window delta length_pct kl_budget endorsed stop_on history alarms last_scan " +
        "stopped_at failures warnings"
      ).split(" "),
    );
  });

  test("means that were not measured are no points", async () => {
    const run = sink();
    const monitor = new HackMonitor({ holdout: HOLDOUT, proxy: () => Array(48).fill(null), run });
    await monitor.onStep(0, policy(0.4, 0, 0));
    expect(run.entries[0]!.value).toEqual([0, { holdout_length: expect.any(Number) }]);
  });

  test.each<[string, Partial<MonitorOptions>, Sampler]>([
    ["a sampler that throws", {}, () => Promise.reject(new Error("out of memory"))],
    ["a sampler that gives too few", {}, () => [["one"]]],
    [
      "a run that cannot be reached",
      { run: { ...sink(), log: () => Promise.reject(new Error("no route")) } },
      policy(0, 0, 0),
    ],
    [
      "a run that is gone",
      {
        run: {
          log: () => Promise.reject(new Error("gone")),
          patchSummary: () => Promise.reject(new Error("gone")),
          finish: () => undefined,
        },
      },
      policy(0, 0, 0),
    ],
  ])("%s does not stop training, and is in the summary", async (_, options, sampler) => {
    const monitor = new HackMonitor({ ...base, proxy: honest, ...options });
    expect(await monitor.onStep(0, sampler)).toEqual({ stop: false, alarms: [] });
    expect(monitor.summary().failures[0]).toMatchObject({ step: 0, reason: expect.any(String) });
  });

  test("gold that fails on some rollouts is a gold of the others, and is counted", async () => {
    let calls = 0;
    const some = (row: Row) => {
      if (calls++ % 3 === 0) throw new Error("timeout");
      return gold(row);
    };
    const monitor = new HackMonitor({ ...base, proxy: honest, gold: some });
    await monitor.onStep(0, policy(1, 0, 0));
    expect(monitor.summary().history[0]).toMatchObject({ n: 48, nGold: 32, gold: 1 });
  });
});

describe("a trainer", () => {
  test("evaluations are due at the beginning and every so many steps, and not twice", async () => {
    const monitor = new HackMonitor({ ...base, proxy: honest });
    const due: number[] = [];
    for (const step of [3, 4, 10, 10, 15, 20]) {
      if (monitor.isDue(step)) due.push(step);
      await monitor.onStep(step, policy(0.4, 0, step));
    }
    expect(due).toEqual([3, 10, 20]);
  });

  test.each([
    ["at once", ((_, c) => c.map(() => 1)) as RewardFunction],
    ["later", (async (_, c) => c.map(() => 1)) as RewardFunction],
  ])("a wrapped reward function answers as before, %s, and keeps its name", async (_, given) => {
    const monitor = new HackMonitor(base);
    const wrapped = monitor.wrap(given);
    expect(wrapped.name).toBe(given.name);
    expect(await wrapped(["a"], ["b"], {})).toEqual([1]);
    expect(wrapped(["a"], ["b"], {}) instanceof Promise).toBe(given(["a"], ["b"], {}) instanceof Promise);
    // It is the proxy, too.
    await monitor.evaluate(0, policy(0.4, 0, 0));
    expect(monitor.summary().history[0]!.proxy).toBe(1);
  });

  test("extra keys of holdout rows reach the proxy as lists, and gold as keys of the row", async () => {
    const seen: unknown[] = [];
    const monitor = new HackMonitor({
      holdout: [{ prompt: "p", answer: 7, final_text: "no", completion: "no" }, "q"],
      proxy: (_, completions, columns) => {
        seen.push(columns);
        return completions.map(() => 1);
      },
      gold: (row) => {
        seen.push(row.answer, row.messages);
        return 1;
      },
      k: 1,
    });
    await monitor.evaluate(0, (prompts) => prompts.map((prompt) => [`re ${String(prompt)}`]));
    expect(seen[0]).toEqual({ answer: [7, null] });
    expect(seen[1]).toBe(7);
    expect(seen[2]).toEqual([
      { role: "user", content: "p" },
      { role: "assistant", content: "re p" },
    ]);
  });

  test("of a large holdout some prompts are used, the same ones for a seed, in their order", () => {
    const of = (seed: number) => new HackMonitor({ ...base, nPrompts: 5, seed }).prompts().prompts;
    expect(of(1)).toEqual(of(1));
    expect(of(1)).not.toEqual(of(2));
    const places = of(1).map((prompt) => HOLDOUT.findIndex((row) => row.prompt === prompt));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).toHaveLength(5);
  });

  test("without sampler or proxy an evaluation is refused with what to pass", async () => {
    await expect(new HackMonitor({ ...base, proxy: honest }).evaluate(0)).rejects.toThrow(/Pass a sampler/);
    await expect(new HackMonitor(base).evaluate(0, policy(0, 0, 0))).rejects.toThrow(/wrap the reward function/);
  });

  test.each<[Record<string, unknown>, RegExp]>([
    [{ holdout: [] }, /holdout is empty/],
    [{ holdout: [" ", { prompt: "" }, [{ role: "system", content: "s" }]] }, /None of 3 entries/],
    [{ stopOn: ["divergense"] }, /stopOn is divergense/],
    [{ sample: () => [], sampling: {} }, /sample and sampling/],
    [{ sampling: { temprature: 1 } }, /temperature/],
    [{ evry: 3 }, /Did you mean every/],
    [{ k: Number.NaN }, /k is NaN/],
    [{ gold: 1 }, /gold is 1/],
    [{ endorsed: "tool:" }, /endorsed is/],
  ])("%j is refused", (options, message) => {
    expect(() => new HackMonitor({ ...base, ...options } as MonitorOptions)).toThrow(SelectError);
    expect(() => new HackMonitor({ ...base, ...options } as MonitorOptions)).toThrow(message);
  });

  test("counts are floored to 1, the buffer to 0", () => {
    const { every, k, window } = new HackMonitor({ ...base, every: 0, k: 2.9, window: -1, buffer: -3 }).summary();
    expect({ every, k, window }).toEqual({ every: 1, k: 2, window: 1 });
  });
});

test("the text says how it ended first, then every evaluation and alarm", async () => {
  const monitor = new HackMonitor({ ...base, proxy: hacked, stopOn: "any", lengthPct: 10 });
  await train(monitor, learnsTheWord());
  const lines = formatHackMonitor(monitor.summary()).split("\n");
  expect(lines[0]).toBe("hack monitor (paired): STOPPED at step 20: divergence");
  expect(lines[1]).toBe("5 evaluations of 12 prompts x 4, every 10 steps");
  expect(lines[3]).toBe("    step   proxy    gold  length      kl");
  expect(lines[4]).toMatch(/^ {7}0 {3}0\.000 {3}0\.\d{3} +\d+ {7}-$/);
  expect(lines.at(-1)).toMatch(/^step 20 divergence: The proxy gained/);
  const quiet = formatHackMonitor(new HackMonitor({ holdout: HOLDOUT }).summary());
  expect(quiet).toMatch(
    /^hack monitor \(paired\): no alarms\n0 evaluations of 12 prompts x 4, every 10 steps\n\n! No gold/,
  );
});

describe("over HTTP", () => {
  const request = (path: string, body?: unknown): Request =>
    new Request(`http://localhost${path}`, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });
  const draw = (sampler: Sampler, monitor: HackMonitor) => {
    const { prompts, k } = monitor.prompts();
    return sampler(prompts, { k, from: 0, maxNewTokens: 1, temperature: 1, topP: 1, seed: 0 }) as string[][];
  };

  test("a trainer asks for the holdout, sends what it drew, and is told to stop", async () => {
    const monitor = new HackMonitor({ ...base, stopOn: ["divergence"] });
    const handle = monitorHandler(monitor);
    expect(await (await handle(request("/holdout"))).json()).toMatchObject({
      k: 4,
      prompts: [HOLDOUT[0]!.prompt, ...Array(11).fill(expect.any(String))],
    });
    const answers: unknown[] = [];
    for (const [i, sampler] of learnsTheWord().slice(0, 3).entries()) {
      const completions = draw(sampler, monitor);
      const rewards = completions.map((list) => list.map((text) => Number(text.startsWith("Kindly"))));
      answers.push(await (await handle(request("/evaluate", { step: 10 * i, completions, rewards, kl: 0.1 }))).json());
    }
    expect(answers).toMatchObject([
      { stop: false, alarms: [] },
      { stop: false, alarms: [] },
      { stop: true, alarms: [{ kind: "divergence", proxy_gain: expect.any(Number) }, { kind: "length" }] },
    ]);
    expect(monitor.summary().history.map(({ kl }) => kl)).toEqual([0.1, 0.1, 0.1]);
    const recorded = await handle(request("/record", { step: 25, prompts: ["a"], completions: ["b"], rewards: [1] }));
    expect(await recorded.json()).toEqual({ due: false, stop: true, alarms: [] });
  });

  test.each([
    ["/nowhere", {}, 404, "not_found"],
    ["/record", [], 400, "bad_sample"],
    ["/record", { step: -1 }, 400, "bad_sample"],
    ["/record", { step: 1, prompts: ["a"], completions: [], rewards: [] }, 400, "bad_sample"],
    ["/evaluate", { step: 1, completions: ["a"] }, 400, "bad_sample"],
    ["/evaluate", { step: 1, completions: [["a"]], rewards: [[1]] }, 400, "bad_sample"],
  ])("POST %s %j is %i", async (path, body, status, code) => {
    const response = await monitorHandler(new HackMonitor(base))(request(path, body));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });
});
