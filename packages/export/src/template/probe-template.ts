import { renderTemplate, type TemplateInput } from "./render-template.ts";
import { type Trains, trainedSpans } from "./trained-spans.ts";

/** What becomes of something a conversation may hold. */
export type Kept = "ok" | "dropped" | "error";

export interface ProbeOptions {
  /** Rows as a trainer reads them, of which the first 50 are rendered: `messages`, or `prompt` and `completion`. */
  rows?: readonly Readonly<Record<string, unknown>>[];
  /** Counts tokens: the ids of a text, without those that a tokenizer adds around it. */
  tokenizer?: (text: string) => readonly number[];
  /** What trains of `messages` rows; of `prompt` and `completion` rows the completion does. */
  trains?: "all" | "generation" | "assistant";
  /** Variables that the template knows, such as `{ enable_thinking: false }`. */
  variables?: Readonly<Record<string, unknown>>;
}

/** What the loss of one row is taken on. */
export interface ProbedRow {
  /** Its place in `rows`. */
  row: number;
  /** The exact substrings, in order. */
  trained: string[];
  /** Of them, and of the whole; null without a tokenizer. */
  trainedTokens: number | null;
  tokens: number | null;
  /** Messages whose place in the text cannot be told. */
  unaligned: number[];
}

/** How a chat template renders what agents do. */
export interface ProbeReport {
  /** Spelling of arguments that comes out right: `string` is quoted twice where `object` is meant. */
  arguments: "object" | "either" | "string" | "dropped" | "error";
  /** Two calls in one turn; text beside a call; an agent that opens; a system message that is not the first. */
  parallel: Kept;
  textBesideCall: Kept;
  agentOpening: Kept;
  lateSystem: Kept;
  /** A turn without text or call. */
  emptyContent: Kept;
  /**
   * What stands before each agent turn, opened for it, is the beginning of the whole. Where not, a completion's mask and
   * the prompt of a pair do not line up, and trainers warn at most.
   */
  prefixPreserved: boolean;
  /** Text between the words that open the agent's turn and the reply; null where there is none. */
  thinkBlock: string | null;
  /** What the template says by itself where no rules are given; null where it says nothing. */
  defaultSystem: string | null;
  /** The template marks what the agent said, as `assistant_only_loss` needs. */
  generationBlock: boolean;
  /** Who a tool's answer is said by; null where that cannot be told. */
  toolRoleName: string | null;
  /** What stands behind the agent's last turn. */
  endOfTurn: string;
  /** Rows that were rendered, and those of them on which the template fails. */
  rowsRendered: number;
  rowErrors: { row: number; message: string }[];
  /** What trains of the first rows. */
  rows: ProbedRow[];
  /** Over the rendered rows; null without a tokenizer or rows. */
  trainedTokens: number | null;
  tokens: number | null;
}

const MAX_ROWS = 50;
const SHOWN_ROWS = 3;
const MAX_ERRORS = 5;

const USER = { role: "user", content: "zqUser" };
const REPLY = { role: "assistant", content: "zqReply" };
const SYSTEM = { role: "system", content: "zqRules" };
const ARGUMENTS = { zq_order: "zqValue" };
const ARGUMENTS_TEXT = '{"zq_order": "zqValue"}';
const TOOLS = [
  {
    type: "function",
    function: {
      name: "zq_tool",
      description: "zqDescription",
      parameters: { type: "object", properties: { zq_order: { type: "string", description: "zqOrder" } } },
    },
  },
];

/**
 * Renders small conversations under a chat template, and rows where some are given, to tell what a trainer will see:
 * which spelling of arguments comes out right, what is dropped or refused, and whether turns can be told apart.
 *
 * @throws ExportError `template_failed` where the template cannot render a person's turn and the agent's
 */
export function probeTemplate(template: string, options: ProbeOptions = {}): ProbeReport {
  const render = (input: TemplateInput) => renderTemplate(template, withVariables(input, options));
  const plain = render({ messages: [USER, REPLY] });
  const rows = probedRows(template, options);
  const spelling = argumentsOf(render);
  const given = spelling === "string" ? ARGUMENTS_TEXT : ARGUMENTS;
  return {
    arguments: spelling,
    parallel: kept(render, called(given, ["zqOne", "zqTwo"]), ["zqOne", "zqTwo"]),
    textBesideCall: kept(render, called(given, ["zqOne"], "zqBeside"), ["zqBeside"]),
    agentOpening: kept(render, { messages: [{ ...REPLY, content: "zqOpening" }, USER, REPLY] }, ["zqOpening"]),
    lateSystem: kept(render, { messages: [USER, REPLY, { ...SYSTEM, content: "zqLate" }, USER, REPLY] }, ["zqLate"]),
    emptyContent: kept(render, { messages: [USER, { ...REPLY, content: "" }, USER, REPLY] }, ["zqReply"]),
    prefixPreserved: isPrefixPreserved(template, given, options),
    thinkBlock: thinkBlock(render),
    defaultSystem: defaultSystem(render),
    generationBlock: /\{%[-+]?\s*generation\s*-?%\}/.test(template),
    toolRoleName: toolRoleName(render, given),
    endOfTurn: plain.slice(plain.lastIndexOf("zqReply") + "zqReply".length),
    ...rows,
  };
}

type Render = (input: TemplateInput) => string;

function withVariables(input: TemplateInput, { variables }: ProbeOptions): TemplateInput {
  return variables === undefined ? input : { ...input, variables };
}

/** A conversation with a call for each name. */
function called(given: unknown, names: readonly string[], content = ""): TemplateInput {
  const calls = names.map((name, at) => ({
    id: `zqcall00${at}`,
    type: "function",
    function: { name, arguments: given },
  }));
  const answers = calls.map(({ id }, at) => ({
    role: "tool",
    name: names[at],
    tool_call_id: id,
    content: `zqAnswer${at}`,
  }));
  const tools = names.map((name) => ({ ...TOOLS[0]!, function: { ...TOOLS[0]!.function, name } }));
  return { messages: [USER, { role: "assistant", content, tool_calls: calls }, ...answers, REPLY], tools };
}

function attempt(render: Render, input: TemplateInput): string | null {
  try {
    return render(input);
  } catch {
    return null;
  }
}

/** Whether all these words come out in the conversation: the tools' own listing, in front of it, does not count. */
function kept(render: Render, input: TemplateInput, words: readonly string[]): Kept {
  const text = attempt(render, input);
  if (text === null) return "error";
  const contents = (input.messages as { content: string }[]).map(({ content }) => content);
  const starts = contents.flatMap((content) =>
    content === "" || !text.includes(content) ? [] : [text.indexOf(content)],
  );
  const conversation = text.slice(Math.min(text.length, ...starts));
  return words.every((word) => conversation.includes(word)) ? "ok" : "dropped";
}

function argumentsOf(render: Render): ProbeReport["arguments"] {
  const object = attempt(render, called(ARGUMENTS, ["zq_tool"]));
  const string = attempt(render, called(ARGUMENTS_TEXT, ["zq_tool"]));
  if (object === null && string === null) return "error";
  const isRight = (text: string | null) => text?.includes("zqValue") === true && !isMangled(text);
  if (isRight(object)) return isRight(string) ? "either" : "object";
  return isRight(string) ? "string" : "dropped";
}

/** An object that was put together with text, or a text that was quoted a second time. */
function isMangled(text: string): boolean {
  return text.includes("[object") || text.includes('\\"zq_order') || text.includes('\\"zqValue');
}

/** The agent's turns of these conversations can be told from what stands before them. */
function isPrefixPreserved(template: string, given: unknown, options: ProbeOptions): boolean {
  const conversations: TemplateInput[] = [
    { messages: [USER, REPLY] },
    { messages: [SYSTEM, USER, { ...REPLY, content: "zqFirst" }, { ...USER, content: "zqSecond" }, REPLY] },
    called(given, ["zq_tool"]),
  ];
  return conversations.every((input) => {
    const turns = input.messages.flatMap((message, at) =>
      (message as { role: string }).role === "assistant" ? [at] : [],
    );
    try {
      return trainedSpans(template, withVariables(input, options), turns).unaligned.length === 0;
    } catch {
      // A conversation that the template refuses says nothing of its prefixes.
      return true;
    }
  });
}

function thinkBlock(render: Render): string | null {
  const opened = attempt(render, { messages: [USER], addGenerationPrompt: true });
  const whole = render({ messages: [USER, REPLY] });
  if (opened === null || !whole.startsWith(opened)) return null;
  const between = whole.slice(opened.length, whole.indexOf("zqReply"));
  return between === "" ? null : between;
}

/** What stands before a person's turn without rules, and neither opens nor ends the rules that are given. */
function defaultSystem(render: Render): string | null {
  const alone = attempt(render, { messages: [USER, REPLY] })?.split("zqUser")[0];
  const given = attempt(render, { messages: [SYSTEM, USER, REPLY] })?.split("zqUser")[0];
  if (alone === undefined || given === undefined) return null;
  const shorter = Math.min(alone.length, given.length);
  let start = 0;
  while (start < shorter && alone[start] === given[start]) start++;
  let end = 0;
  while (end < shorter - start && alone.at(-1 - end) === given.at(-1 - end)) end++;
  const said = alone.slice(start, alone.length - end).trim();
  return said === "" ? null : said;
}

function toolRoleName(render: Render, given: unknown): string | null {
  const text = attempt(render, called(given, ["zq_tool"]));
  if (text === null) return null;
  const answered = text.indexOf("zqAnswer0");
  const between = text.slice(text.lastIndexOf("zqValue", answered), answered).toLowerCase();
  const roles = [...between.matchAll(/\b(tool|ipython|function|observation|user)\b/g)].map((match) => match[1]!);
  return answered < 0 ? null : (roles[0] ?? null);
}

function probedRows(
  template: string,
  { rows = [], tokenizer, trains = "all", variables }: ProbeOptions,
): Pick<ProbeReport, "rowsRendered" | "rowErrors" | "rows" | "trainedTokens" | "tokens"> {
  const rowErrors: ProbeReport["rowErrors"] = [];
  const probed: ProbedRow[] = [];
  let [nTrained, nTokens] = [0, 0];
  const first = rows.slice(0, MAX_ROWS);
  for (const [row, given] of first.entries()) {
    try {
      const { input, turns } = conversationOf(given, trains);
      const told = variables === undefined ? input : { ...input, variables };
      const { text, spans, unaligned } = trainedSpans(template, told, turns);
      const trained = spans.map(([start, end]) => text.slice(start, end));
      const count = (texts: readonly string[]) =>
        tokenizer === undefined ? null : texts.reduce((sum, part) => sum + tokenizer(part).length, 0);
      const [trainedTokens, tokens] = [count(trained), count([text])];
      nTrained += trainedTokens ?? 0;
      nTokens += tokens ?? 0;
      if (probed.length < SHOWN_ROWS || unaligned.length > 0)
        probed.push({ row, trained, trainedTokens, tokens, unaligned });
    } catch (error) {
      if (rowErrors.length < MAX_ERRORS) rowErrors.push({ row, message: (error as Error).message });
    }
  }
  const isCounted = tokenizer !== undefined && first.length > 0;
  return {
    rowsRendered: first.length,
    rowErrors,
    rows: probed,
    trainedTokens: isCounted ? nTrained : null,
    tokens: isCounted ? nTokens : null,
  };
}

/** A row as its template gets it, and what trains of it. */
function conversationOf(
  row: Readonly<Record<string, unknown>>,
  trains: NonNullable<ProbeOptions["trains"]>,
): { input: TemplateInput; turns: Trains } {
  const list = (value: unknown) => (Array.isArray(value) ? (value as object[]) : []);
  const tools = typeof row.tools === "string" ? (JSON.parse(row.tools) as object[]) : row.tools;
  const input = (messages: object[]): TemplateInput => ({
    messages,
    ...(Array.isArray(tools) && tools.length > 0 ? { tools } : {}),
  });
  if (Array.isArray(row.completion)) {
    const prompt = list(row.prompt);
    return { input: input([...prompt, ...row.completion]), turns: [prompt.length] };
  }
  const messages = list(row.messages);
  if (trains !== "assistant") return { input: input(messages), turns: trains };
  return {
    input: input(messages),
    turns: messages.flatMap((message, at) => ((message as { role?: unknown }).role === "assistant" ? [at] : [])),
  };
}
