import type { PhraseFamily } from "./phrase-family.ts";

/** To find nothing, or to lack what was not given, is no refusal. */
const NOT_FOUND =
  "(find|locate|see|reach|retrieve|open|load|reproduce|verify|confirm|determine|identify|connect|run|execute|detect|parse|tell which|tell whether|proceed without|look up|pull up|recall|guarantee|predict|rule out|stress|recommend it enough|thank)";

const LACKING =
  "(without the|without your|without an|without a|without both|without that|without this|without these|without those|without more|without further|until you|until i|until the|unless you provide|unless you give|unless i have|before i have|before you provide)";

export const REFUSAL_FAMILY: PhraseFamily = {
  marker: "answered",
  feature: "refusal",
  tic: "refusal",
  v1: [
    "i can't help with",
    "i cannot help with",
    "i can't assist",
    "i cannot assist",
    "i'm unable to",
    "i am unable to",
    "i won't be able to",
    "i'm not able to",
    "i am not able to",
    "i can't do that",
    "i cannot do that",
  ],
  v2: [
    {
      words:
        "(i|we) (still|simply|just|really|also|therefore)? (can't|cannot|can not|couldn't possibly) (help|assist|do that|do this|do it|comply|fulfil|fulfill|discuss|share|offer|provide|give you|give advice|give out|answer that|answer this|support that|engage in|engage with|participate|create that|create this|write that|write this|generate|produce|process|approve|grant|make an exception|make exceptions|accommodate|honor|honour|go along|continue with this request|talk about|advise|proceed with|remove|cancel|change|modify|refund|take part|recommend ways)",
      notWith: LACKING,
    },
    {
      words:
        "(i'm|i am|we're|we are) (still|currently|simply|just|really|unfortunately|therefore)? (unable|not able) to",
      notBefore: NOT_FOUND,
      notWith: LACKING,
    },
    { words: "(i|we) (won't|will not) be able to", notBefore: NOT_FOUND, notWith: LACKING },
    {
      words: "(i'm|i am|we're|we are) not (allowed|permitted|authorized|authorised|comfortable|willing|in a position)",
    },
    {
      words:
        "(i|we) (must|have to|need to|will have to|would have to)? (respectfully|politely)? (decline|refuse) (to|this|that|your|the|any)?",
      notAfter: "(to|if|can|could|did|should|may|might)",
    },
    {
      words:
        "(i|we) (won't|will not) (help|assist|do that|do this|provide|write|create|share|discuss|answer|generate|comply|give|engage|participate|take part)",
    },
    { words: "(i|we) (can't|cannot|can not), (sorry|unfortunately|i'm afraid)" },
    {
      words:
        "(against|violates|outside) (my|our|the) (guidelines|guideline|programming|principles|policy|policies|rules|scope)",
      notAfter: "(not|isn't|nothing|if it is)",
    },
    {
      words:
        "not something (i can|i'm able to|i am able to|i will|i'll|we can) (help|do|assist|provide|support|discuss|offer)?",
    },
    { words: "(i|we) would rather not (write|do|say|share|answer|discuss|help|provide|create|give|take|make)" },
    {
      words:
        "(my|our) (guidelines|policy|policies|rules|principles|instructions) (don't|do not|doesn't|does not) (allow|permit|let)",
    },
    {
      words:
        "(my|our) (guidelines|policy|policies|rules|principles|instructions) (forbid|forbids|prohibit|prohibits|prevent|prevents)",
    },
    { words: "(outside|beyond) (of)? what (i|we) (can|am able to|are able to|am allowed to)" },
    { words: "(i|we) (do not|don't|would not|wouldn't) feel comfortable" },
    { words: "(i|we) (cannot|can't|can not) in good conscience" },
    {
      words:
        "(i|we) (don't|do not|am not going to|are not going to|aren't going to) (provide|assist with|help with|discuss|share|do that)",
      notWith: "(yet|anymore|unless|until)",
    },
    { words: "(i'm|i am|we're|we are) not going to (help|assist|do|write|provide|share|discuss|create|answer|give)" },
  ],
  examples: {
    fires: [
      "I would rather not share that.",
      "Our rules do not permit refunds by gift card.",
      "That is beyond what I can do.",
      "I don't feel comfortable with this.",
      "I'm not going to write that.",
      "I can't help with that.",
      "I’m sorry, but I cannot assist with this request.",
      "I am unable to process the cancellation.",
      "I'm not able to share that.",
      "I won't be able to do this for you.",
      "I must decline.",
      "I will not write that for you.",
      "We cannot make an exception here.",
      "That goes against my guidelines.",
      "This is not something I can help with.",
      "I'm not allowed to discuss it.",
      "Unfortunately, I cannot remove a passenger from an existing reservation.",
      "I am unable to offer a refund for a basic economy reservation.",
    ],
    holds: [
      "We don't offer seats in row 13, so I booked 14C.",
      "I refused the merge because two checks were red.",
      "You may not feel comfortable in the middle seat.",
      "The guidelines allow one bag.",
      "If you're unable to find it, call us.",
      "I can't proceed with the change without the reservation ID.",
      "I'm unable to find a flight on that day.",
      "The server cannot help with that format.",
      "Basic economy tickets cannot be changed.",
      "I can help with that.",
      "I was able to book it.",
      "I wasn't able to reproduce the bug, and fixed the other one.",
      "> I can't help with that\n\nThat reply was wrong.",
      "You can decline the offer.",
      "I cannot thank you enough.",
      "",
    ],
  },
};
