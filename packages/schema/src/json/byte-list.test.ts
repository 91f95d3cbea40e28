import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteList } from "./byte-list.ts";

test("a slice is the same however the bytes arrived", () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 6 }), { maxLength: 8 });
  fc.assert(
    fc.property(parts, fc.nat(60), fc.nat(60), (pieces, a, b) => {
      const list = new ByteList();
      for (const piece of pieces) list.push(piece);
      const whole = pieces.flatMap((piece) => [...piece]);
      const [from, to] = [a, b].map((at) => at % (whole.length + 1)).sort((x, y) => x - y);
      expect(list.length).toBe(whole.length);
      expect([...list.slice(from!, to!)]).toEqual(whole.slice(from, to));
    }),
  );
});
