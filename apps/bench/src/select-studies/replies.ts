import type { Row } from "@while/schema";
import type { MersenneTwister } from "@while/stats";

/*
 * Replies of a service desk as templates write them: sentences that come with one another, words that most asks share,
 * numbers, line breaks and calls, so that features overlap as they do in real rollouts.
 */

const OPENINGS = ["Hello.", "Thank you for writing.", "Thanks for waiting.", "Good day.", "I looked into this.", ""];
const TOPICS = ["order", "refund", "booking", "invoice", "parcel", "password", "address", "contract"];
const BODIES = [
  "The {topic} {number} is being worked on and will be ready in {few} days.",
  "I have checked the {topic} {number}, and it was changed {few} days ago.",
  "Your {topic} {number} was found. It is listed under your name.",
  "There is a note on {topic} {number}, which our team wrote {few} days ago.",
  "As far as I can see the {topic} {number} is complete.",
];
const DETAILS = [
  "You can see the status on your page.",
  "Our team answers within a day.",
  "The amount is {number} EUR in total.",
  "Please keep the message for your records.",
  "It may take until next week, because of the holiday.",
  "No further step is needed from your side.",
  "If the date does not suit you, tell us before Monday.",
  "I have also updated the phone number that you gave.",
  "We sent a letter to the address that we have.",
  "The rules of the shop allow this once a year.",
];
const CLOSINGS = ["Is there anything else?", "Have a good day.", "Best regards, the service desk", "Take care.", ""];
/** Said with what was found, more often than not. */
const ECHOES =
  "record entry match listed proof system shows file account result lookup reference source field value data " +
  "history log detail report screen table line register state current stored correct exact known";
const ECHO_WORDS = ECHOES.split(" ");

/** One rollout before it is rewarded. */
export interface Draft {
  ask: number;
  /** Did it do what it was meant to? */
  found: boolean;
  text: string;
  tools: string[];
}

export interface DraftOptions {
  /** Chance that each of thirty words agrees with what was found; null for none of those words. */
  echo: number | null;
  /** Chance of every ask that a rollout of it does what it is meant to. */
  rate: number;
}

/** Replies to one ask. */
export function drafts(ask: number, size: number, { echo, rate }: DraftOptions, rng: MersenneTwister): Draft[] {
  const topic = TOPICS[ask % TOPICS.length]!;
  return Array.from({ length: size }, () => {
    const found = rng.random() < rate;
    const filled = (text: string): string =>
      text
        .replaceAll("{topic}", topic)
        .replaceAll("{number}", String(1000 + rng.below(9000)))
        .replaceAll("{few}", String(2 + rng.below(8)));
    const details = DETAILS.filter(() => rng.random() < 0.25).map(filled);
    const echoes = echo === null ? [] : ECHO_WORDS.filter(() => (rng.random() < echo ? found : !found));
    const parts = [pick(OPENINGS, rng), filled(pick(BODIES, rng)), ...details, echoes.join(" "), pick(CLOSINGS, rng)];
    const text = parts.filter((part) => part !== "").join(rng.random() < 0.2 ? "\n" : " ");
    const tools = ["lookup", ...(rng.random() < 0.3 ? ["search"] : []), ...(rng.random() < 0.2 ? ["notes"] : [])];
    return { ask, found, text, tools };
  });
}

/** Drafts with their rewards, as rows; `marker:found` is what the reward is meant to pay for. */
export function rowsOf(list: readonly Draft[], reward: (draft: Draft) => boolean): Row[] {
  return list.map((draft) => ({
    task_id: `t${draft.ask}`,
    prompt: `ask ${draft.ask}`,
    final_text: draft.text,
    steps: draft.tools.map((tool) => ({ tool, arguments: {}, result: { status: "ok" } })),
    markers: { found: Number(draft.found) },
    reward: Number(reward(draft)),
  }));
}

function pick<Item>(items: readonly Item[], rng: MersenneTwister): Item {
  return items[rng.below(items.length)]!;
}
