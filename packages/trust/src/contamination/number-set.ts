import { longer } from "./longer.ts";

/** A set of small numbers in the order in which they came. It is emptied at no cost, so that one serves text after text. */
export class NumberSet {
  values: Uint32Array = new Uint32Array(256);
  size = 0;
  #epoch = 1;
  #seenIn: Uint32Array = new Uint32Array(1024);

  clear(): void {
    this.size = 0;
    this.#epoch++;
  }

  has(value: number): boolean {
    return this.#seenIn[value] === this.#epoch;
  }

  add(value: number): void {
    if (value >= this.#seenIn.length) this.#seenIn = longer(this.#seenIn, value + 1);
    if (this.#seenIn[value] === this.#epoch) return;
    this.#seenIn[value] = this.#epoch;
    if (this.size === this.values.length) this.values = longer(this.values, this.size + 1);
    this.values[this.size++] = value;
  }
}
