import type { WireCall, WireMessage } from "../training-row.ts";
import { linkProblem } from "./weighted.ts";

/** A piece of a turn: what was said, what was called, what a tool answered. */
export type Block =
  | { kind: "text"; text: string }
  | { kind: "call"; call: WireCall }
  | { kind: "answer"; id: string; tool: string; content: string };

/** One turn of a chat API that knows two sides: answers of tools stand in the user's turn. */
export interface BlockTurn {
  role: "user" | "agent";
  blocks: Block[];
}

/** A conversation as turns that alternate, and the rules beside them. */
export interface BlockConversation {
  /** All system messages, a blank line between them; "" without one. */
  system: string;
  turns: BlockTurn[];
}

/**
 * Messages as turns of blocks: what one side says in a row is one turn, and what tools answered is the user's. A message
 * without text adds none, since the services refuse empty text.
 *
 * @param prependUser What a person is made to say first where the agent opens; null adds nothing
 */
export function blockTurns(messages: readonly WireMessage[], prependUser: string | null = null): BlockConversation {
  const system: string[] = [];
  const turns: BlockTurn[] = [];
  const tools = new Map<string, string>();
  const add = (role: BlockTurn["role"], blocks: Block[]): void => {
    if (turns.at(-1)?.role === role) turns.at(-1)!.blocks.push(...blocks);
    else turns.push({ role, blocks });
  };
  if (prependUser !== null && opensWithAgent(messages)) add("user", [{ kind: "text", text: prependUser }]);
  for (const { role, content, tool_calls: calls = [], tool_call_id: id = "", name } of messages) {
    const said: Block[] = content === "" ? [] : [{ kind: "text", text: content }];
    if (role === "system") system.push(content);
    else if (role === "user") add("user", said);
    else if (role === "tool") add("user", [{ kind: "answer", id, tool: tools.get(id) ?? name ?? "", content }]);
    else {
      for (const call of calls) tools.set(call.id, call.function.name);
      add("agent", [...said, ...calls.map((call): Block => ({ kind: "call", call }))]);
    }
  }
  return { system: system.join("\n\n"), turns };
}

/** What a service of such turns would refuse: unlinked answers, an agent that opens, a turn without anything in it. */
export function blockProblem(messages: readonly WireMessage[], prependUser: string | null = null): string | null {
  if (prependUser === null && opensWithAgent(messages)) {
    return "the agent speaks first; prependUser names what a person said before";
  }
  const empty = messages.findIndex(({ role, content, tool_calls: calls }) => {
    return (role === "user" || role === "assistant") && content === "" && calls === undefined;
  });
  return empty >= 0 ? `message ${empty} is empty` : linkProblem(messages);
}

function opensWithAgent(messages: readonly WireMessage[]): boolean {
  return messages.find(({ role }) => role !== "system")?.role === "assistant";
}
