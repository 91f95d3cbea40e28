/** Low and high end, both included. */
export type Interval = readonly [low: number, high: number];
