import type { Message, Row } from "@while/schema";
import { expect, test } from "vitest";
import { type PromptTokens, referenceLogprobs } from "./reference-logprobs.ts";

/** A token a word, each worth -0.1 times its length; the template ends a turn with a line break. */
const words: PromptTokens = Object.assign(
  async (messages: readonly Message[], { addGenerationPrompt }: { addGenerationPrompt: boolean }) => {
    const told = messages.map(({ role, content }) => `<${role}> ${content} \n`).join(" ");
    const text = addGenerationPrompt ? `${told} <assistant>` : told;
    return text.split(" ").map((word, i) => ({ text: word, logprob: i === 0 ? null : -0.1 * word.length }));
  },
  { modelName: "ref" },
);

test("the tokens of all assistant turns are added up, and those of the prompt and of the template are not", async () => {
  const messages = [
    { role: "user", content: "q" },
    { role: "assistant", content: "ab c" },
    { role: "user", content: "more" },
    { role: "assistant", content: "d" },
  ];
  const { rows, report } = await referenceLogprobs(
    [{ messages, n_tokens: 5 }, { prompt: "q", final_text: "abc" }, { prompt: "q" }],
    words,
  );
  expect(rows).toMatchObject([
    { ref_logprob: -0.4, ref_n_tokens: 3, ref_model: "ref" },
    { ref_logprob: -0.3, ref_n_tokens: 1 },
    {},
  ]);
  expect(rows[2]).not.toHaveProperty("ref_logprob");
  expect(report).toEqual({ nRows: 3, nSkipped: 1, nTokens: 4, model: "ref", tokenCountGap: 2, nErrors: 0, errors: [] });
});

test("the system prompt stands in front of every conversation that has none", async () => {
  const seen: string[] = [];
  const spying: PromptTokens = async (messages, options) => {
    seen.push(messages.map(({ role }) => role).join(" "));
    return words(messages, options);
  };
  const row: Row = { prompt: "q", final_text: "a" };
  await referenceLogprobs({ rows: [row], systemPrompt: "Be kind." }, spying);
  expect(seen).toEqual(["system user", "system user assistant"]);
});

test("a request that fails leaves its row as it is, and the others go on", async () => {
  const flaky: PromptTokens = async (messages, options) => {
    if (messages.some(({ content }) => content === "bad")) throw new Error("down");
    return words(messages, options);
  };
  const { rows, report } = await referenceLogprobs(
    [
      { prompt: "bad", final_text: "a" },
      { prompt: "q", final_text: "a" },
    ],
    flaky,
  );
  expect(rows.map((row) => row.ref_n_tokens)).toEqual([undefined, 1]);
  expect(report).toMatchObject({ nSkipped: 1, nErrors: 1, errors: ["Error: down"] });
});

test("a server without log-probabilities is refused", async () => {
  const none: PromptTokens = async (messages, options) =>
    (await words(messages, options)).map(({ text }) => ({ text, logprob: null }));
  await expect(referenceLogprobs([{ prompt: "q", final_text: "a" }], none)).rejects.toMatchObject({
    code: "no_logprobs",
  });
});
