import type { PhraseFamily } from "./phrase-family.ts";

export const APOLOGY: PhraseFamily = {
  marker: "no_apology",
  feature: null,
  tic: "apology",
  v1: ["i apologize", "i'm sorry", "i am sorry", "sorry for the", "apologies for"],
  v2: [
    { words: "(i|we) (do|sincerely|deeply|truly|must)? (apologize|apologise)" },
    {
      words: "(i'm|i am|we're|we are) (so|very|really|truly|terribly|deeply)? sorry",
      notBefore: "(state|sight|excuse for)",
    },
    { words: "sorry (for|about) (the|that|this|any|your|my|our|all)", notAfter: "(not|feel|feels|felt)" },
    { words: "sorry to hear" },
    { words: "(my|our) (sincere|deepest)? apologies" },
    { words: "apologies for" },
    { words: "sorry,", opens: true },
    { words: "sorry!", opens: true },
  ],
  examples: {
    fires: [
      "I apologize for the delay.",
      "We sincerely apologise.",
      "I’m sorry, that seat is gone.",
      "I am so sorry about that.",
      "Sorry for the wait.",
      "Sorry about that mix-up.",
      "My apologies, it is gate B4.",
      "Apologies for the confusion.",
      "Sorry, wrong file.",
      "I'm very sorry to hear that.",
    ],
    holds: [
      "No need to be sorry.",
      "They feel sorry for the dog.",
      "He never apologizes.",
      "The letter of apology is attached.",
      "It was a sorry state of affairs.",
      "> I'm sorry\n\nThat was your line.",
      'Write "I\'m sorry for the delay" in the first line.',
      "The customer apologized.",
      "Sort the list by date.",
      "",
    ],
  },
};
