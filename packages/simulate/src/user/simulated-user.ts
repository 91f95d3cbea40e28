import { cutCodePoints, type Step, textOf } from "@while/schema";
import { type Model, type ModelUse, useOf } from "../agent/model.ts";
import { spokenText } from "../endpoint/spoken-text.ts";
import { englishLineGate, type UserLineGate } from "./user-line-gate.ts";

export interface SimulatedUserOptions {
  model: Model;
  temperature?: number;
  gate?: UserLineGate;
}

/** What the person knows when they speak. */
export interface UserScene {
  /** What they came with. */
  ask: string;
  steps: readonly Step[];
  agentText: string;
  /** `stance`, `tone`, `texture` and the like. */
  tags: Readonly<Record<string, string>>;
  /** They must answer: a question is open. */
  isAsked: boolean;
  /** Names what is said next among all that is said in the run, for a model that keeps its answers. */
  sample?: string;
  signal?: AbortSignal;
  meter?: (use: ModelUse) => void;
}

const LEAVES = "<leaves>";
const THREAD_CHARS = 2400;
const ASK_CHARS = 180;
const MAX_TOKENS = 180;
const RETRY_TOKENS = 120;
const PERSON_TEMPERATURE = 0.475;
const HUMAN_TOOL_TEMPERATURE = 0.9;

/** What a stance does to a person who is asked something by a tool. */
const ANSWERS: Readonly<Record<string, string>> = {
  mistaken: "Correct one detail that you got wrong before.",
  unsure: "Say what you do not know.",
  hurried: "Use few words.",
  retry: "Say what failed last time.",
  contradicts_earlier: "You have changed your mind; say so.",
  ambiguous: "Say which of the two you meant.",
  exploratory: "Hold off; you only wanted to know.",
  adversarial: "Push for what you want.",
};

/** Says the next line of the person, or how it ended: `left` when they walk away, `missed` when no usable line came. */
export type NextLine = { line: string } | { ended: "left" | "missed" };

/** The person on the other side of a conversation, played by a model that knows what they came for and no more. */
export class SimulatedUser {
  private readonly model: Model;
  private readonly temperature: number;
  private readonly gate: UserLineGate;

  constructor({ model, temperature = PERSON_TEMPERATURE, gate = englishLineGate }: SimulatedUserOptions) {
    this.model = model;
    this.temperature = temperature;
    this.gate = gate;
  }

  get name(): string {
    return this.model.modelName || "model";
  }

  /** One try, and another one when the agent waits for an answer. */
  async next(scene: UserScene): Promise<NextLine> {
    const said = [scene.ask, ...scene.steps.flatMap(({ user }) => (textOf(user) === "" ? [] : [textOf(user)]))];
    let objection = "";
    for (let attempt = 0; attempt < (scene.isAsked ? 2 : 1); attempt++) {
      const own = scene.sample === undefined ? scene : { ...scene, sample: `${scene.sample}:${attempt}` };
      const line = await this.speak(own, this.temperature, attempt === 0 ? MAX_TOKENS : RETRY_TOKENS, objection);
      if (line.includes(LEAVES)) return { ended: "left" };
      const fault = this.gate(line, { agentText: scene.agentText, said });
      if (fault === null) return { line };
      objection = `Your last try was not used (${fault}).`;
    }
    return { ended: "missed" };
  }

  /** What the person answers when a tool asks them; "" when nothing came. */
  async answer(question: string, scene: UserScene): Promise<string> {
    const how = ANSWERS[scene.tags.stance ?? ""] ?? "Answer with one concrete detail.";
    return await this.speak({ ...scene, agentText: question }, HUMAN_TOOL_TEMPERATURE, RETRY_TOKENS, how);
  }

  private async speak(scene: UserScene, temperature: number, maxTokens: number, remark: string): Promise<string> {
    const { ask, steps, agentText, tags, sample, signal, meter } = scene;
    const content = [
      `You came with: ${cutCodePoints(ask, ASK_CHARS)}`,
      `You are ${persona(ask, tags)}.`,
      threadOf(steps).slice(-THREAD_CHARS),
      `They say: ${agentText}`,
      remark,
    ];
    const answer = await this.model({
      messages: [
        { role: "system", content: BRIEF },
        { role: "user", content: content.filter((part) => part !== "").join("\n\n") },
      ],
      temperature,
      maxTokens,
      ...(sample === undefined ? {} : { sample }),
      ...(signal === undefined ? {} : { signal }),
    });
    meter?.(useOf(answer, "user", this.model));
    return spokenText(answer.text).spoken.trim();
  }
}

const BRIEF = `You play a person who writes to a service agent. Say only what this person says next, as they would type it. Stay with what you came for. Answer a question with one concrete detail. Do not thank, do not repeat what the agent said, do not explain. When you have what you came for, or have had enough, write ${LEAVES}.`;

/** How the person writes: by their tags, else as the first line reads. */
function persona(ask: string, { tone, texture, stance }: Readonly<Record<string, string>>): string {
  const traits = [tone, texture, stance].filter(
    (trait) => trait !== undefined && trait !== "standard" && trait !== "ordinary",
  );
  if (traits.length > 0) return traits.join(", ").replace(/_/g, " ");
  const letters = ask.replace(/[^\p{L}]/gu, "");
  const capitals = ask.replace(/[^\p{Lu}]/gu, "");
  if (letters.length > 0 && capitals.length / letters.length < 0.01) return "someone who writes in lower case";
  return /please|thank/i.test(ask) ? "polite" : "matter-of-fact";
}

function threadOf(steps: readonly Step[]): string {
  return steps
    .flatMap(({ user, text }) => [
      ...(textOf(user) === "" ? [] : [`You: ${textOf(user)}`]),
      ...(textOf(text) === "" ? [] : [`They: ${textOf(text)}`]),
    ])
    .join("\n");
}
