/** How hard the tasks of an eval are: the distribution of a task's chance to pass. */
export type Difficulty =
  | { uniform: readonly [low: number, high: number] }
  | { beta: readonly [a: number, b: number] }
  | { always: number }
  | { mix: readonly (readonly [share: number, difficulty: Difficulty])[] };

/** What a change does to the chance of a task. */
export type Change =
  | { none: true }
  /** Every task alike, in chance. */
  | { add: number }
  /** Every task alike, in log-odds: little where tasks are sure. */
  | { logit: number }
  /** Shares of the tasks get a new chance, the others stay. */
  | { jump: readonly (readonly [share: number, to: number])[] };

export interface World {
  name: string;
  about: string;
  difficulty: Difficulty;
  change: Change;
}

const NONE: Change = { none: true };

const EVEN: Difficulty = { uniform: [0.2, 0.7] };
const EASY: Difficulty = { beta: [3, 0.6] };
const HARD: Difficulty = { beta: [0.6, 3] };
const SPLIT: Difficulty = { beta: [0.5, 0.5] };
const CEILING: Difficulty = { beta: [4, 0.2] };
const RARE: Difficulty = {
  mix: [
    [0.1, { always: 0.05 }],
    [0.9, { always: 0.97 }],
  ],
};
const TIED: Difficulty = {
  mix: [
    [0.5, { always: 0 }],
    [0.5, { always: 1 }],
  ],
};

/** Worlds of one arm: what an interval on a pass rate has to hold in. */
export const ONE_ARM: readonly World[] = [
  { name: "even", about: "chances uniform from 0.2 to 0.7", difficulty: EVEN, change: NONE },
  { name: "alike", about: "every task passes half of the time", difficulty: { always: 0.5 }, change: NONE },
  { name: "split", about: "Beta(0.5, 0.5): most tasks nearly sure", difficulty: SPLIT, change: NONE },
  { name: "easy", about: "Beta(3, 0.6), mean 0.83", difficulty: EASY, change: NONE },
  { name: "ceiling", about: "Beta(4, 0.2), mean 0.95", difficulty: CEILING, change: NONE },
  {
    name: "two kinds",
    about: "30% Beta(1, 3), 70% Beta(9, 1)",
    difficulty: {
      mix: [
        [0.3, { beta: [1, 3] }],
        [0.7, { beta: [9, 1] }],
      ],
    },
    change: NONE,
  },
  { name: "rare failure", about: "one task in ten at 0.05, the others at 0.97", difficulty: RARE, change: NONE },
];

/** Worlds of two equal arms: every verdict but "no difference" is a false alarm. */
export const NO_EFFECT: readonly World[] = [
  { name: "even", about: "chances uniform from 0.2 to 0.7, equal arms", difficulty: EVEN, change: NONE },
  { name: "split", about: "Beta(0.5, 0.5), equal arms", difficulty: SPLIT, change: NONE },
  { name: "easy", about: "Beta(3, 0.6), equal arms", difficulty: EASY, change: NONE },
  { name: "ceiling", about: "Beta(4, 0.2), equal arms: nearly all tied", difficulty: CEILING, change: NONE },
];

/** Worlds of two arms that differ. */
export const EFFECT: readonly World[] = [
  { name: "even + 0.10", about: "every task gains 0.10", difficulty: EVEN, change: { add: 0.1 } },
  { name: "even + 0.20", about: "every task gains 0.20", difficulty: EVEN, change: { add: 0.2 } },
  {
    name: "easy, logit + 1",
    about: "Beta(3, 0.6), every task gains 1 in log-odds",
    difficulty: EASY,
    change: { logit: 1 },
  },
  {
    name: "both ways",
    about: "uniform 0.2 to 0.7; a fifth rises to 0.95, a tenth falls to 0.05",
    difficulty: EVEN,
    change: {
      jump: [
        [0.2, 0.95],
        [0.1, 0.05],
      ],
    },
  },
  {
    name: "few tasks",
    about: "Beta(0.6, 3); one task in ten comes to pass always",
    difficulty: HARD,
    change: { jump: [[0.1, 1]] },
  },
  {
    name: "tied",
    about: "half at 0, half at 1; 7% come to pass, 3% to fail",
    difficulty: TIED,
    change: {
      jump: [
        [0.14, 1],
        [0.06, 0],
      ],
    },
  },
];

/** Sizes of an eval, in tasks. From `FIRST_HELD` on a 95% interval has to hold. */
export const SIZES = [5, 8, 20, 50, 200, 500] as const;
const FIRST_HELD = 8;
/** Rollouts a task. */
export const ROLLOUTS = [1, 4, 16] as const;

/** What coverage of a 95% interval has to be. */
export const HELD = {
  low: "93.5",
  high: "97.5",
  from: FIRST_HELD,
  isMissed: (share: number, n: number): boolean => n >= FIRST_HELD && (share < 0.935 || share > 0.975),
};

/** What a test at 5% may call different among equals. */
export const FALSE_ALARMS = {
  most: "5.5",
  isMissed: (share: number): boolean => share > 0.055,
};
