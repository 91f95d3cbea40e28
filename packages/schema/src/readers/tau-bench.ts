import { blockText } from "../conversation/block-text.ts";
import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { shownValue } from "../text/shown-value.ts";
import { chatRow, isMessages, lineageOf } from "./chat-row.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { labelOf } from "./load-traces.ts";
import { present } from "./present.ts";
import { reactSteps } from "./react-steps.ts";
import { outOfRangeWarning, scored } from "./scored.ts";
import type { ToolHeadline } from "./tool-headline.ts";
import { TrialRates } from "./trial-rates.ts";
import { TrialTally } from "./trial-tally.ts";

/** tau-bench calls a reward within this distance of 1 a success. */
const SUCCESS_TOLERANCE = 1e-6;

/**
 * Results of tau-bench (arXiv:2406.12045): an array of `{task_id, reward, info, traj, trial}`. Tasks of retail and
 * airline share their numbers, so the environment is part of the scenario id. The user's instruction and the right
 * actions go under `privileged`, the benchmark's own check under `judge_meta`.
 *
 * Items that ended in an exception carry a reward of 0 in the file; here they are ungraded.
 */
export const tauBench: Format = {
  name: "tau-bench",
  title: "tau-bench results",
  detect: (record) => Array.isArray(record.traj) && "trial" in record && "task_id" in record && "reward" in record,
  open: (context) => new TauBenchReader(context),
};

class TauBenchReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #env: string;
  readonly #run: FileNameFacts;
  readonly #tally = new TrialTally();
  readonly #rates = new TrialRates();

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#env = context.options.env ?? envOf(context.head) ?? "unknown";
    this.#run = factsOfName(context.file);
    if (this.#env === "unknown") {
      context.warn(
        "unknown_env",
        "No rules name the environment, and retail and airline share task numbers. Pass env to keep them apart.",
      );
    }
  }

  read(record: SourceObject): readonly Row[] {
    const { task_id: task, reward, info: given, traj, trial, ...rest } = record;
    if (typeof reward !== "number" || !Array.isArray(traj)) {
      throw new SchemaError("bad_value", "The item has no reward or no traj.", "Give a results file of tau-bench.");
    }
    for (const [key, value] of Object.entries({ task_id: task, trial })) {
      if (typeof value !== "object" || value === null) continue;
      throw new SchemaError("bad_value", `${key} is ${shownValue(value)}.`, "Give a results file of tau-bench.");
    }
    const info = isObject(given) ? given : {};
    this.#rates.add(String(task), trial, reward, isSuccess(reward));
    const scenario = `tau-bench/${this.#env}/${task}`;
    const base: Row = {
      scenario_id: scenario,
      rollout_id: shortHash("tau-bench", this.#context.file ?? "", scenario, String(trial), JSON.stringify(record)),
      rollout_index: typeof trial === "number" ? trial : this.#context.nextIndex(scenario),
    };
    if (info.error !== undefined && traj.length === 0) return this.#errorRows(base, record, info);
    return [this.#rollout(base, traj as Message[], reward, task, info, rest)];
  }

  end(): void {
    this.#tally.say(this.#context, { ended: "an exception", tool: "tau-bench", counts: "0 for each" });
  }

  headlines(): ToolHeadline[] {
    const how = "over all items, those that ended in an exception with the 0 that the file has for them";
    return this.#rates.headlines({ lost: "counted", trials: "planned", how });
  }

  #errorRows(
    base: Row,
    { task_id, reward, trial, info: _, traj: __, ...rest }: SourceObject,
    info: SourceObject,
  ): Row[] {
    if (!this.#tally.lose(this.#context, 0)) return [];
    const { error, traceback, task, ...more } = info;
    const row: Row = {
      ...base,
      prompt: "",
      steps: [],
      final_text: "",
      reward: null,
      judge_status: "error",
      judge_meta: present({ error, traceback, reward_counted: reward }),
      ...this.#provenance(),
      tau_bench: { task_id, trial, ...more, ...rest },
    };
    const { privileged } = secretsOf(task, {});
    if (privileged !== null) row.privileged = privileged;
    return [row];
  }

  #rollout(base: Row, traj: Message[], reward: number, task: unknown, info: SourceObject, rest: SourceObject): Row {
    if (!isMessages(traj)) {
      throw new SchemaError("bad_value", "traj is no list of messages.", "Give a results file of tau-bench.");
    }
    const { task: about, reward_info: check, ...more } = info;
    const told = chatRow(traj, "tau-bench", this.#context);
    const { markers, privileged, meta } = secretsOf(about, isObject(check) ? check : {});
    const found = check === undefined ? {} : { reward_info: isObject(check) ? meta : check };
    const row: Row = { ...base, ...told, ...this.#provenance(), ...this.#verdict(reward, found) };
    const react = reactSteps(traj);
    if (react !== null) Object.assign(row, react);
    if (markers !== null) row.markers = markers;
    if (privileged !== null) row.privileged = privileged;
    row.tau_bench = { task_id: task, ...more, ...rest };
    return row;
  }

  #verdict(reward: number, found: SourceObject): Partial<Row> {
    const { options } = this.#context;
    const isPass = isSuccess(reward);
    const asked = options.scale !== undefined || options.threshold !== undefined;
    const isOut = !isPass && (reward < 0 || reward > 1);
    const verdict = asked || isOut ? scored(reward, options) : { reward: isPass ? 1 : 0 };
    if (isOut && !asked) this.#context.warn("reward_out_of_range", outOfRangeWarning(reward));
    // The benchmark knows successes and nothing between.
    this.#tally.add(verdict.reward === null ? null : Math.floor(verdict.reward));
    const raw = verdict.reward === reward || "judge_meta" in verdict ? {} : { rating: reward };
    const { judge_meta: more, ...rest } = verdict as ReturnType<typeof scored>;
    return {
      ...rest,
      judge_name: "tau-bench",
      judge_meta: { scorer_kind: "rule", ...found, ...raw, ...more },
    };
  }

  /** What every row of the file shares. */
  #provenance(): Partial<Row> {
    const { model, userModel, temperature, strategy } = this.#run;
    return {
      lineage: lineageOf("tau-bench", this.#context, "eval"),
      ...(model === null ? {} : { model_version: model }),
      ...(userModel === null ? {} : { user_model: userModel }),
      ...(temperature === null ? {} : { sampling: { temperature } }),
      ...(strategy === null ? {} : { harness: { label: strategy } }),
    };
  }
}

function isSuccess(reward: number): boolean {
  return Math.abs(reward - 1) <= SUCCESS_TOLERANCE;
}

interface Secrets {
  markers: Record<string, number> | null;
  privileged: Record<string, unknown> | null;
  /** The benchmark's check without the answers it compared with. */
  meta: SourceObject;
}

/** What the agent must not see, apart from what the check found. */
function secretsOf(task: unknown, check: SourceObject): Secrets {
  const privileged: Record<string, unknown> = {};
  if (isObject(task)) {
    const { user_id, instruction, actions, outputs, ...more } = task;
    privileged.hidden_state = present({ instruction, user_id, ...more });
    privileged.reference = JSON.stringify({ actions, outputs });
  }
  const { actions: compared, info: found, ...meta } = check;
  const { outputs: looked, ...numbers } = isObject(found) ? found : {};
  if (compared !== undefined || looked !== undefined)
    privileged.rubric = present({ actions: compared, outputs: looked });
  const markers: Record<string, number> = {};
  const actionsMatch = labelOf(numbers.r_actions);
  const outputsMatch = labelOf(numbers.r_outputs);
  if (actionsMatch !== null) markers.actions_match = actionsMatch;
  if (outputsMatch !== null) markers.outputs_match = outputsMatch;
  return {
    markers: Object.keys(markers).length > 0 ? markers : null,
    privileged: Object.keys(privileged).length > 0 ? privileged : null,
    meta: isObject(found) ? { ...meta, info: numbers } : meta,
  };
}

/** `retail` or `airline`, from the first rules whose title names one. */
function envOf(head: readonly SourceObject[]): string | null {
  for (const { traj } of head) {
    if (!Array.isArray(traj)) continue;
    for (const message of traj) {
      if (!isObject(message) || message.role !== "system") continue;
      const title = /^#+.*?\b(retail|airline)\b/im.exec(blockText(message.content));
      if (title !== null) return title[1]!.toLowerCase();
    }
  }
  return null;
}

interface FileNameFacts {
  strategy: string | null;
  model: string | null;
  temperature: number | null;
  userModel: string | null;
}

/** `<strategy>-<model>-<temperature>_range_<start>-<end>_user-<model>-<strategy>_<time>.json` */
const FILE_NAME =
  /^(tool-calling|act|react|few-shot)-(.+)-(\d+(?:\.\d+)?)_range_-?\d+--?\d+_user-(.+)-(?:llm|react|verify|reflection|human)_\d+\.json/;

/** Models are spelled as in the name, where `/` has become `_`: which of its `_` was one cannot be told. */
function factsOfName(file: string | null): FileNameFacts {
  const found = FILE_NAME.exec(file ?? "");
  return {
    strategy: found?.[1] ?? null,
    model: found?.[2] ?? null,
    temperature: found?.[3] === undefined ? null : Number(found[3]),
    userModel: found?.[4] ?? null,
  };
}
