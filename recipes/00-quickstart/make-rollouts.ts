import { type Row, type Step, systemPromptStamp, type ToolSchema } from "@while/schema";
import type { Meta } from "@while/schema/files";
import { MersenneTwister } from "@while/stats";

/*
 * A small agent in a small world, so that the loop has something to work on without a key or a network: an order
 * desk with three tools, forty situations, eight rollouts of each by two versions of the agent. It fails the way
 * real ones do: it acts before it looks, gives up when a tool times out, pays a late refund because the customer
 * insists, says that something is done which is not, and is now and then cut off in the middle of a sentence.
 */

const SYSTEM_PROMPT = [
  "You work at the order desk of a small shop.",
  "Look an order up before you act on it.",
  "Refund an order only when it was delivered, and at most 30 days ago.",
  "Cancel an order only while it is being packed.",
  "Where neither is allowed, say so and offer nothing else. Say what you did, and nothing that you did not do.",
].join("\n");

/** Rows name their rules by hash; the text is written once, beside them. */
const STAMP = systemPromptStamp(SYSTEM_PROMPT);

const tool = (name: string, description: string): ToolSchema => ({
  type: "function",
  function: {
    name,
    description,
    parameters: { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] },
  },
});

const TOOLS: readonly ToolSchema[] = [
  tool("lookup_order", "Read an order: item, price, status and days since delivery."),
  tool("refund_order", "Pay the price of an order back."),
  tool("cancel_order", "Stop an order that is still being packed."),
];

type Deed = "refund_order" | "cancel_order" | "nothing";

/** What a reply can tell the customer. */
type Telling = "refunded" | "cancelled" | "declined" | "on the road" | "out of reach" | "no answer";

interface Order {
  order_id: string;
  item: string;
  price: number;
  status: "packing" | "shipped" | "delivered";
  days_since_delivery: number | null;
}

/** What a customer wants, what the order looks like, and what the rules make of it. */
interface Situation {
  name: string;
  status: Order["status"];
  days: readonly [low: number, high: number] | null;
  asked: Deed;
  /** What has to be done, and told. */
  right: { deed: Deed; telling: Telling };
  asks: readonly string[];
}

const SITUATIONS: readonly Situation[] = [
  {
    name: "refund-in-time",
    status: "delivered",
    days: [2, 28],
    asked: "refund_order",
    right: { deed: "refund_order", telling: "refunded" },
    asks: ["Please refund order {id}, the {item} does not fit.", "The {item} from order {id} broke. Give me a refund."],
  },
  {
    name: "refund-too-late",
    status: "delivered",
    days: [31, 90],
    asked: "refund_order",
    right: { deed: "nothing", telling: "declined" },
    asks: ["Refund order {id} now, I never used the {item}.", "A bit late, but please refund the {item}, order {id}."],
  },
  {
    name: "cancel-in-time",
    status: "packing",
    days: null,
    asked: "cancel_order",
    right: { deed: "cancel_order", telling: "cancelled" },
    asks: ["Cancel order {id}, I ordered the wrong {item}.", "Please stop order {id} before the {item} leaves."],
  },
  {
    name: "cancel-too-late",
    status: "shipped",
    days: null,
    asked: "cancel_order",
    right: { deed: "nothing", telling: "declined" },
    asks: ["Cancel order {id}, I found the {item} cheaper.", "I do not want the {item} any more, cancel order {id}."],
  },
  {
    name: "where-is-it",
    status: "shipped",
    days: null,
    asked: "nothing",
    right: { deed: "nothing", telling: "on the road" },
    asks: ["Where is order {id} with my {item}?", "Has the {item} of order {id} left yet?"],
  },
];

const ITEMS = ["kettle", "desk lamp", "raincoat", "bike pump", "tea set", "backpack", "toaster", "wool scarf"];
const HELLOS = ["Thank you for writing.", "Hello!", "Thanks for your patience.", "I looked into this.", "Good day."];
const CLOSES = ["Is there anything else?", "Have a good day.", "Write again if anything is unclear.", "Take care.", ""];

/** A version of the agent: how often it does the right thing. */
interface Version {
  name: string;
  looksFirst: number;
  retries: number;
  keepsRules: number;
}

const VERSIONS: readonly Version[] = [
  { name: "desk-v1", looksFirst: 0.75, retries: 0.3, keepsRules: 0.6 },
  { name: "desk-v2", looksFirst: 0.92, retries: 0.8, keepsRules: 0.72 },
];

const TOOL_FAULT_RATE = 0.08;
const CUT_RATE = 0.04;

/** One task: a situation with an order in it and one wording. */
interface Task {
  id: string;
  situation: Situation;
  order: Order;
  ask: string;
  /** Added to how often a version keeps the rules. */
  ease: number;
}

/** What the rows do not hold: the rules they name, and the tools. Goes into `rollouts.meta.json`. */
export const BESIDE_THE_ROWS: Meta = { system_prompts: { [STAMP.sha]: SYSTEM_PROMPT }, tools: TOOLS };

export interface RolloutPlan {
  seed?: number;
  nTasks?: number;
  /** Of each task, by each version. */
  nRollouts?: number;
}

/** Every rollout, in the order task, version, rollout. The same seed makes the same rows on every machine. */
export function makeRollouts({ seed = 0, nTasks = 40, nRollouts = 8 }: RolloutPlan = {}): Row[] {
  const dice = new MersenneTwister(seed);
  const rows: Row[] = [];
  for (let n = 0; n < nTasks; n += 1) {
    const task = drawTask(n, dice);
    for (const version of VERSIONS) {
      for (let index = 0; index < nRollouts; index += 1) rows.push(rollOut(task, version, index, dice));
    }
  }
  return rows;
}

function drawTask(n: number, dice: MersenneTwister): Task {
  const situation = SITUATIONS[n % SITUATIONS.length]!;
  const { status, days } = situation;
  const order: Order = {
    order_id: `A${1000 + dice.below(9000)}`,
    item: pick(ITEMS, dice),
    price: 15 + dice.below(100),
    status,
    days_since_delivery: days === null ? null : days[0] + dice.below(days[1] - days[0] + 1),
  };
  const ask = pick(situation.asks, dice).replace("{id}", order.order_id).replace("{item}", order.item);
  // Some tasks are solved nearly always and some hardly ever; those teach nothing, and selection leaves them out.
  const ease = 1.3 * (dice.random() - 0.5);
  return { id: `${situation.name}-${String(n).padStart(2, "0")}`, situation, order, ask, ease };
}

function rollOut(task: Task, version: Version, index: number, dice: MersenneTwister): Row {
  const { steps, deed, words } = serve(task, version, dice);
  const cut = dice.random() < CUT_RATE;
  const finalText = cut ? words.slice(0, Math.floor(words.length * 0.6)).trimEnd() : words;
  return {
    task_id: task.id,
    rollout_id: `${task.id}-${version.name}-${index}`,
    rollout_index: index,
    prompt: task.ask,
    steps,
    final_text: finalText,
    finish_reason: cut ? "length" : "stop",
    ...grade(task, deed, finalText, cut),
    label_source: "order_desk_state",
    markers: {
      looked_up_first: steps[0]?.tool === "lookup_order" ? 1 : 0,
      claims_hold:
        claimedDeed(tellingOf(finalText)) === "nothing" || claimedDeed(tellingOf(finalText)) === deed ? 1 : 0,
    },
    policy_version: version.name,
    lineage: {
      system_prompt_sha: STAMP.sha,
      system_prompt_head: STAMP.head,
      system_prompt_chars: STAMP.chars,
    },
    sampling: { temperature: 1, max_tokens: 256, model: "seeded-order-desk" },
  };
}

/** One conversation: look, decide, act, answer. */
function serve({ situation, order, ease }: Task, version: Version, dice: MersenneTwister) {
  const steps: Step[] = [];
  let deed: Deed = "nothing";
  const call = (name: Deed | "lookup_order", triesLeft = 1): boolean => {
    const timedOut = dice.random() < TOOL_FAULT_RATE;
    const answer = timedOut ? { status: "timeout", error: "no answer in 10 s" } : act(name, order);
    steps.push({ tool: name, arguments: { order_id: order.order_id }, result: answer });
    if (answer.status === "refunded" || answer.status === "cancelled") deed = name as Deed;
    if (timedOut && triesLeft > 0 && dice.random() < version.retries) return call(name, triesLeft - 1);
    return !timedOut;
  };
  const doIt = (wanted: Deed): boolean => wanted === "nothing" || call(wanted);
  const told = (telling: Telling) => ({ steps, deed, words: speak(telling, order, dice) });

  if (dice.random() < version.looksFirst) {
    if (!call("lookup_order")) return told("out of reach");
    if (dice.random() < version.keepsRules + ease) {
      return doIt(situation.right.deed) ? told(situation.right.telling) : told("out of reach");
    }
    // It saw the order and slips all the same: shrugs, claims, or does what the customer wants.
    const slip = dice.below(3);
    if (slip === 0) return told("no answer");
    if (slip === 1) return told(promised(situation.asked));
  }
  return doIt(situation.asked) ? told(promised(situation.asked)) : told("out of reach");
}

/** The world. It does what it is told, also against the rules of the desk: keeping those is the agent's work. */
function act(name: Deed | "lookup_order", order: Order): { status: string } & Record<string, unknown> {
  if (name === "lookup_order") return { ...order };
  if (name === "refund_order") return { status: "refunded", amount: order.price };
  return order.status === "packing" ? { status: "cancelled" } : { status: "rejected", reason: "order has left" };
}

/** What the agent says when it does, or says that it did, what was asked. */
function promised(asked: Deed): Telling {
  if (asked === "refund_order") return "refunded";
  return asked === "cancel_order" ? "cancelled" : "on the road";
}

function speak(telling: Telling, order: Order, dice: MersenneTwister): string {
  const body: Record<Telling, string> = {
    refunded: `I have refunded the ${order.item}; ${order.price} EUR are on their way to you.`,
    cancelled: `I have cancelled order ${order.order_id}, the ${order.item} will not be sent.`,
    declined: `I cannot do that: order ${order.order_id} is past the point where our rules allow it.`,
    "on the road": `The ${order.item} of order ${order.order_id} has left our house and is on the road.`,
    "out of reach": "I cannot reach the order system right now. Please try again in an hour.",
    "no answer": `I am not sure about the ${order.item}, please ask a colleague of mine.`,
  };
  return [pick(HELLOS, dice), body[telling], pick(CLOSES, dice)].join(" ").trim();
}

/** The verdict is a program: the world must be as the rules want it, and the reply must say so. */
function grade({ situation }: Task, deed: Deed, reply: string, cut: boolean): { reward: 0 | 1; reason: string } {
  const { right } = situation;
  if (cut) return { reward: 0, reason: "The reply was cut." };
  if (deed !== right.deed) return { reward: 0, reason: `The desk did ${deed}, the rules want ${right.deed}.` };
  const telling = tellingOf(reply);
  if (telling !== right.telling) return { reward: 0, reason: `The reply says ${telling}, and ${right.telling} holds.` };
  return { reward: 1, reason: "World and reply are as the rules want them." };
}

function tellingOf(reply: string): Telling {
  if (reply.includes("I have refunded")) return "refunded";
  if (reply.includes("I have cancelled")) return "cancelled";
  if (reply.includes("our rules allow")) return "declined";
  if (reply.includes("on the road")) return "on the road";
  return reply.includes("order system") ? "out of reach" : "no answer";
}

function claimedDeed(telling: Telling): Deed {
  if (telling === "refunded") return "refund_order";
  return telling === "cancelled" ? "cancel_order" : "nothing";
}

function pick<Item>(items: readonly Item[], dice: MersenneTwister): Item {
  return items[dice.below(items.length)]!;
}
