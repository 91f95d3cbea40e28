/** Functions of one argument, by every name they go by. */
export const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ...["sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan"].map(same),
  ...["ln", "log", "exp", "sqrt", "cbrt", "abs", "floor", "ceil"].map(same),
  ["asin", "arcsin"],
  ["acos", "arccos"],
  ["atan", "arctan"],
]);

/** Units as they are written behind a number without a mark; words of four letters and more need not be here. */
export const UNITS: ReadonlySet<string> = new Set([
  ...["mm", "cm", "dm", "km", "in", "ft", "yd", "mi", "mg", "kg", "lb", "lbs", "oz", "ml", "mL", "cl", "ms", "min"],
  ...["sec", "hr", "hrs", "day", "mph", "kph", "sq", "cu", "deg", "rad", "Hz", "kHz", "kW", "kJ", "USD", "EUR"],
]);

/** Letters that a word needs to be one, and no product of variables. */
export const WORD_LETTERS = 4;

function same(name: string): [string, string] {
  return [name, name];
}
