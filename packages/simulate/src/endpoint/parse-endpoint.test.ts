import { describe, expect, test } from "vitest";
import { chatUrl, needsNoKey, parseEndpoint } from "./parse-endpoint.ts";

test.each([
  ["http://h:8000/v1", "http://h:8000/v1/chat/completions"],
  ["https://h/openai/", "https://h/openai/v1/chat/completions"],
  ["h.example", "https://h.example/v1/chat/completions"],
  ["https://h/v1/chat/completions", "https://h/v1/chat/completions"],
  ["https://h/d/chat/completions?api-version=1", "https://h/d/chat/completions?api-version=1"],
  ["https://h/v1/?a=1", "https://h/v1/chat/completions?a=1"],
])("chatUrl(%j)", (address, url) => {
  expect(chatUrl(address)).toBe(url);
});

test.each([
  ["ollama:llama3.1:8b", "llama3.1:8b", "http://localhost:11434/v1/chat/completions"],
  ["ollama", "llama3.1:8b", "http://localhost:11434/v1/chat/completions"],
  ["openai:gpt-4o", "gpt-4o", "https://api.openai.com/v1/chat/completions"],
  ["openai", "gpt-4o-mini", "https://api.openai.com/v1/chat/completions"],
  ["anthropic:claude-x", "claude-x", "https://api.anthropic.com/v1/messages"],
  ["vllm:Qwen/Qwen3-8B@http://gpu:8000", "Qwen/Qwen3-8B", "http://gpu:8000/v1/chat/completions"],
  [
    "fireworks:accounts/fireworks/models/m",
    "accounts/fireworks/models/m",
    "https://api.fireworks.ai/inference/v1/chat/completions",
  ],
  ["vllm:m@http://a@gpu", "m", null],
])("parseEndpoint(%j)", (spec, model, url) => {
  if (url === null) return expect(() => parseEndpoint(spec)).toThrow("holds a name or a key");
  expect(parseEndpoint(spec)).toMatchObject({ model, url });
});

test("Fireworks has a key of its own, and no model that goes without saying", () => {
  expect(parseEndpoint("fireworks:m").keyNames).toEqual(["FIREWORKS_API_KEY"]);
  expect(() => parseEndpoint("fireworks:")).toThrow('"fireworks:" names no model. Give fireworks:NAME');
});

describe("an address of one's own", () => {
  test("is one of OpenAI's API, unless its path is that of Anthropic's", () => {
    expect(parseEndpoint("http://h:1", { model: "m" })).toEqual({
      ...{ provider: "h:1", api: "openai", url: "http://h:1/v1/chat/completions", model: "m", keyNames: [] },
    });
    expect(parseEndpoint("http://h/v1/messages", { model: "m" })).toMatchObject({
      ...{ api: "anthropic", url: "http://h/v1/messages", keyNames: [] },
    });
  });

  test("has the key of a provider only when it is that provider's", () => {
    expect(parseEndpoint("https://api.openai.com", { model: "m" }).keyNames).toEqual(["OPENAI_API_KEY"]);
    expect(parseEndpoint("https://api.openai.com.example", { model: "m" }).keyNames).toEqual([]);
    expect(parseEndpoint("https://api.anthropic.com", { model: "m" })).toMatchObject({
      ...{ api: "anthropic", keyNames: ["WHILEAI_ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"] },
    });
  });
});

test("OPENAI_BASE_URL says where openai is", () => {
  const env = { OPENAI_BASE_URL: "http://localhost:9/v1/" };
  expect(parseEndpoint("openai:m", { env }).url).toBe("http://localhost:9/v1/chat/completions");
});

test.each([
  ["http://h", undefined, "an address without the name of a model"],
  ["vllm:m", undefined, "names no address"],
  ["vllm:@http://h", undefined, "names no model"],
  ["olama:m", undefined, "Did you mean ollama?"],
  ["mistral", undefined, "is no endpoint"],
  ["openai:a", "b", "The model is a by"],
  ["http://", "m", "is no address"],
])("%j with the model %j is refused: %s", (spec, model, said) => {
  expect(() => parseEndpoint(spec, model === undefined ? {} : { model })).toThrow(said);
});

test.each([
  ["http://10.0.0.1/v1", true],
  ["https://localhost/v1", true],
  ["https://127.0.0.1/v1", true],
  ["https://box.local/v1", true],
  ["https://api.openai.com/v1", false],
])("needsNoKey(%j) is %j", (url, expected) => {
  expect(needsNoKey(url)).toBe(expected);
});
