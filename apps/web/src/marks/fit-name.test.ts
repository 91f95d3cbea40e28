import { expect, test } from "vitest";
import { fitName } from "./fit-name.ts";

test.each([
  ["v4", 8, "v4"],
  ["12345678", 8, "12345678"],
  ["123456789", 8, "1234…+5"],
  ["😀😀😀😀😀😀", 5, "😀…+5"],
])("fitName(%j, %i) is %j", (name, most, fitted) => expect(fitName(name, most)).toBe(fitted));
