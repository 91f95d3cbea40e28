/**
 * What every error of this house carries: a `code` to branch on, `what` was wrong (with the value seen), and the
 * `fix`. `message` is the two sentences together. Each package has one class of its own that extends this one.
 */
export abstract class WhileError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly what: string;
  readonly fix: string;

  constructor(code: Code, what: string, fix: string, options?: ErrorOptions) {
    super(`${what} ${fix}`, options);
    this.name = new.target.name;
    this.code = code;
    this.what = what;
    this.fix = fix;
  }
}
