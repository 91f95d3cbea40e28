/**
 * A JSON number that a double would spell otherwise, by the digits it arrived with: `12345678901234567890`, `1.0`,
 * `1e2`. An order id that is off by one inside a training target teaches the wrong order.
 *
 * It counts and compares as the nearest double, and `JSON.stringify` writes that double; only the writers of this
 * package know the digits.
 */
export class JsonNumber {
  /** The token as it stood in the source. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  valueOf(): number {
    return Number(this.text);
  }

  toJSON(): number {
    return Number(this.text);
  }
}
