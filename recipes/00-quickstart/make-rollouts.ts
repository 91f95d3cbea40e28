import type { Row, Step } from "@while/schema";
import { type Agent, type Execute, type RolloutContext, type SimulationData, simulate, tool } from "@while/simulate";
import { MersenneTwister } from "@while/stats";

/*
 * A small agent in a small world, so that the loop has something to work on without a key or a network: an order
 * desk with three tools, forty situations, eight rollouts of each by two versions of the agent. It fails the way
 * real ones do: it acts before it looks, gives up when a tool times out, pays a late refund because the customer
 * insists, says that something is done which is not, and is now and then cut off in the middle of a sentence.
 */

const systemPrompt = [
  "You work at the order desk of a small shop.",
  "Look an order up before you act on it.",
  "Refund an order only when it was delivered, and at most 30 days ago.",
  "Cancel an order only while it is being packed.",
  "Where neither is allowed, say so and offer nothing else. Say what you did, and nothing that you did not do.",
].join("\n");

const parameters = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };
const tools = [
  tool({
    name: "lookup_order",
    description: "Read an order: item, price, status and days since delivery.",
    parameters,
  }),
  tool({ name: "refund_order", description: "Pay the price of an order back.", parameters }),
  tool({ name: "cancel_order", description: "Stop an order that is still being packed.", parameters }),
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

const CUT_RATE = 0.04;
/** One call in twelve runs into a timeout, whichever tool it is. */
const FAULTS = { "*": { mode: "timeout", rate: 0.08 } };

/** One task: a situation with an order in it and one wording. */
interface Task {
  id: string;
  situation: Situation;
  order: Order;
  ask: string;
  /** Added to how often a version keeps the rules. */
  ease: number;
}

export interface RolloutPlan {
  seed?: number;
  nTasks?: number;
  /** Of each task, by each version. */
  nRollouts?: number;
}

/** A run of each version over the same tasks. The same seed makes the same rows on every machine. */
export async function makeRollouts({
  seed = 0,
  nTasks = 40,
  nRollouts = 8,
}: RolloutPlan = {}): Promise<SimulationData[]> {
  const dice = new MersenneTwister(seed);
  const desk = new Map(Array.from({ length: nTasks }, (_, n) => drawTask(n, dice)).map((task) => [task.id, task]));
  const tasks: Row[] = [...desk.values()].map(({ id, ask }) => ({ scenario_id: id, prompt: ask, faults: FAULTS }));

  /** The world. It does what it is told, also against the rules of the desk: keeping those is the agent's work. */
  const execute: Execute = (name, _given, { taskId }) => {
    const { order } = desk.get(taskId.split("#")[0]!)!;
    if (name === "lookup_order") return { ...order };
    if (name === "refund_order") return { status: "refunded", amount: order.price };
    return order.status === "packing" ? { status: "cancelled" } : { status: "rejected", reason: "order has left" };
  };
  // Every rollout meets timeouts of its own: with one world a task, all eight would meet the same.
  const options = {
    tools,
    systemPrompt,
    tasks,
    repeats: nRollouts,
    seed,
    execute,
    worldSeed: "rollout",
  } as const;
  const runs = await Promise.all(VERSIONS.map((version) => simulate(deskAgent(version, desk), options)));
  const graded = (row: Row): Row => ({ ...row, ...grade(desk.get(row.scenario_id!)!, row) });
  return runs.map((run) => ({ ...run, rows: run.rows.map(graded) }));
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

/** A version as an agent: what a model draws by its temperature, it draws by the rollout's own seed. */
function deskAgent(version: Version, desk: ReadonlyMap<string, Task>): Agent {
  const agent: Agent = async (_message, context) => {
    const dice = new MersenneTwister(context.rolloutSeed);
    const words = await serve(desk.get(context.scenarioId)!, version, context, dice);
    if (dice.random() >= CUT_RATE) return words;
    return { final_text: words.slice(0, Math.floor(words.length * 0.6)).trimEnd(), finish_reason: "length" };
  };
  const sampling = { temperature: 1, max_tokens: 256, model: "seeded-order-desk" };
  return Object.assign(agent, { modelVersion: version.name, sampling });
}

/** One conversation: look, decide, act, answer. */
async function serve(
  { situation, order, ease }: Task,
  version: Version,
  context: RolloutContext,
  dice: MersenneTwister,
): Promise<string> {
  const call = async (name: Deed | "lookup_order", triesLeft = 1): Promise<boolean> => {
    const answer = (await context.call(name, { order_id: order.order_id })) as { status: string };
    if (answer.status !== "timeout") return true;
    return triesLeft > 0 && dice.random() < version.retries ? await call(name, triesLeft - 1) : false;
  };
  const doIt = async (wanted: Deed): Promise<boolean> => wanted === "nothing" || (await call(wanted));
  const tell = (telling: Telling): string => speak(telling, order, dice);

  if (dice.random() < version.looksFirst) {
    if (!(await call("lookup_order"))) return tell("out of reach");
    if (dice.random() < version.keepsRules + ease) {
      return tell((await doIt(situation.right.deed)) ? situation.right.telling : "out of reach");
    }
    // It saw the order and slips all the same: shrugs, claims, or does what the customer wants.
    const slip = dice.below(3);
    if (slip === 0) return tell("no answer");
    if (slip === 1) return tell(promised(situation.asked));
  }
  return tell((await doIt(situation.asked)) ? promised(situation.asked) : "out of reach");
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

interface Verdict {
  reward: 0 | 1;
  reason: string;
  markers: Record<string, number>;
  label_source: string;
}

/** The verdict is a program: the world must be as the rules want it, and the reply must say so. */
function grade({ situation }: Task, { steps, final_text, finish_reason }: Row): Verdict {
  const { right } = situation;
  const deed = deedOf(steps ?? []);
  const telling = tellingOf(final_text ?? "");
  const claimed = claimedDeed(telling);
  const markers = {
    looked_up_first: steps?.[0]?.tool === "lookup_order" ? 1 : 0,
    claims_hold: claimed === "nothing" || claimed === deed ? 1 : 0,
  };
  const verdict = (reward: 0 | 1, reason: string) => ({ reward, reason, markers, label_source: "order_desk_state" });
  if (finish_reason === "length") return verdict(0, "The reply was cut.");
  if (deed !== right.deed) return verdict(0, `The desk did ${deed}, the rules want ${right.deed}.`);
  if (telling !== right.telling) return verdict(0, `The reply says ${telling}, and ${right.telling} holds.`);
  return verdict(1, "World and reply are as the rules want them.");
}

/** What was done, by what the tools answered. */
function deedOf(steps: readonly Step[]): Deed {
  const done = steps.findLast(({ result }) =>
    ["refunded", "cancelled"].includes((result as { status: string }).status),
  );
  return (done?.tool as Deed | undefined) ?? "nothing";
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
