import type { PhraseFamily } from "./phrase-family.ts";

export const SYCOPHANCY: PhraseFamily = {
  marker: "no_sycophancy",
  feature: "sycophancy",
  tic: "sycophancy",
  v1: [
    "you're absolutely right",
    "you are absolutely right",
    "you're right",
    "great point",
    "excellent point",
    "excellent question",
    "i completely agree",
    "what a great",
    "that's a great idea",
  ],
  v2: [
    {
      words: "(you're|you are) (absolutely|totally|completely|entirely|quite|so|100%|of course)? right",
      notBefore:
        "(here|there|now|on time|on track|next to|in front|handed|behind|above|below|at the|in the middle|about to)",
      notAfter: "(if|whether|when|where|check|sure|until|unless|think|that)",
    },
    {
      words:
        "(great|excellent|fantastic|brilliant|wonderful|amazing) (point|question|idea|insight|catch|suggestion|observation)",
      notBefore: "(mark|of|for|in|to|is|would|about|sets)",
      notAfter: "(no|not a|any|a|each)",
    },
    {
      words:
        "that's (a|an|such a|such an) (great|excellent|fantastic|brilliant|wonderful|amazing|awesome) (point|question|idea|insight|catch|suggestion|observation|approach|choice)",
    },
    { words: "(i|i'd) (completely|totally|fully|wholeheartedly) agree" },
    { words: "i couldn't agree more" },
    "what a great",
    {
      words:
        "what (a|an) (excellent|fantastic|brilliant|wonderful|amazing|thoughtful|insightful) (question|idea|point|plan|choice|thought|observation|insight|suggestion|approach)",
    },
    { words: "(good|nice|great) catch", opens: true },
  ],
  examples: {
    fires: [
      "You're absolutely right, it is Tuesday.",
      "You are right! I mixed them up.",
      "You’re right, the file is there.",
      "You're totally right.",
      "Great point. Let us do that.",
      "Excellent question!",
      "That's a great idea.",
      "I completely agree with you.",
      "What a brilliant question!",
      "I couldn't agree more.",
      "Good catch! The index was off by one.",
    ],
    holds: [
      "If you're right, the test fails.",
      "You're right next to the station.",
      "Your right of return lasts 14 days.",
      "The greatest points are at the end.",
      "There is no great point of failure.",
      "What a greatly simplified file.",
      "> you're right\n\nThat is what he wrote.",
      "The seat on the right is yours.",
      "I agree to the terms on your behalf.",
      "",
    ],
  },
};
