import { expect, test } from "vitest";
import { plotlyText, plotlyTexts } from "./plotly-text.ts";

test.each([
  ["plain", "plain"],
  ["<b>bold</b> and<br>next", "<b>bold</b> and<br>next"],
  ['<B style="color:red" onclick="x()">bold</B>', "<b>bold</b>"],
  ['<a href="https://elsewhere.example">here</a>', "here"],
  ["<script>alert(1)</script>", "alert(1)"],
  ["<img src=x onerror=alert(1)>", ""],
  ["x<sub>i</sub> < 3 > 2", "x<sub>i</sub> < 3 > 2"],
  ["<span style='font-size:900px'>big</span>", "big"],
])("plotlyText(%j) is %j", (text, clean) => expect(plotlyText(text)).toBe(clean));

test("texts are cleaned at any depth, numbers stay, and no key reaches a prototype", () => {
  const posted = JSON.parse('{"a":[{"t":"<u>x</u>","n":1,"no":null}],"__proto__":{"polluted":true}}');
  expect(plotlyTexts(posted)).toEqual({ a: [{ t: "x", n: 1, no: null }] });
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
