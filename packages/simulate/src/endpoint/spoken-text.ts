/**
 * What a model says, without what it thinks aloud: `<think>` blocks are taken out, and one that is not closed takes what
 * follows with it. Both are null where there is nothing to take out.
 */
export function spokenText(text: string): { spoken: string; raw: string | null } {
  if (!text.includes("<think>") && !text.includes("</think>")) return { spoken: text, raw: null };
  // Templates that open the block themselves leave only its end in the answer.
  const opened = text.indexOf("<think>");
  const closed = text.indexOf("</think>");
  const own = closed >= 0 && (opened < 0 || closed < opened) ? text.slice(closed + "</think>".length) : text;
  return { spoken: own.replace(/<think>[\s\S]*?(?:<\/think>|$)/g, "").trim(), raw: text };
}
