/** Pairs from which three quarters are a pattern. */
const MANY = 8;
const SHARE = 0.75;
/** Pairs from which all of them are. */
const FEW = 3;

/** Is the chosen reply the longer one so often that a model would learn length (Lambert 2025, Direct Alignment)? */
export function isLengthConfounded(chosenLonger: number, pairs: number): boolean {
  return (pairs >= MANY && chosenLonger >= SHARE * pairs) || (pairs >= FEW && chosenLonger === pairs);
}
