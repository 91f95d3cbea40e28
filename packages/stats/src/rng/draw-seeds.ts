import { MersenneTwister } from "./mersenne-twister.ts";

/**
 * One sampling seed below 2^31 for each of k draws of a prompt. Two arms that use them share the sampler's luck, so
 * what differs between them is the change that is measured.
 *
 * @throws StatsError `bad_seed`
 */
export function drawSeeds(prompt: string, k: number, { seed = 0 }: { seed?: number } = {}): number[] {
  return Array.from({ length: k }, (_, j) => new MersenneTwister(`${seed}:${prompt}:${j}`).below(2 ** 31));
}
