/** What calls of models used. */
export interface Spent {
  /** null when the price of a call is not known. */
  usd: number | null;
  tokens: number;
}
