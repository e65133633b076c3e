/** Two ways of asking, whose times are to be told apart, or not. */
export interface Pair {
  readonly about: string;
  readonly a: Side;
  readonly b: Side;
  /** How many times each is asked. */
  readonly samples: number;
  /** What has to come of it; `shown` is printed and not judged. */
  readonly expected: 'alike' | 'apart' | 'shown';
}

export interface Side {
  readonly name: string;
  /** Rejections count as answers. */
  readonly ask: () => Promise<unknown>;
}

/** Times in µs. */
export interface Difference {
  readonly medians: readonly [number, number];
  /** The median of b less a, of each turn. */
  readonly difference: number;
  /** Where the true one is with 99.9% certainty, whatever the times are distributed like. */
  readonly interval: readonly [number, number];
  /** Student's, of the turns but the twentieth that was the longest either way, since a pause for garbage tells nothing. */
  readonly t: number;
}

/** A difference below this many µs, or this part of the median, is nothing that a network lets through. */
const LIMIT_US = 25;
const LIMIT_PART = 0.02;

const KEPT_PART = 0.95;
/** Standard errors to either side that hold 99.9% of a normal distribution: some twenty pairs are compared. */
const SURE_ERRORS = 3.29;

/**
 * Asks both in turns, in random order. What else the machine does falls on both of a turn alike, so that the turns are compared, not the
 * sides.
 */
export async function comparePair({ a, b, samples }: Pair): Promise<Difference> {
  const times: [number[], number[]] = [[], []];
  // The first ones pay for what is compiled and opened once.
  const warmUps = Math.min(20, Math.ceil(samples / 10));
  for (let round = -warmUps; round < samples; round += 1) {
    const order = Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const);
    for (const side of order) {
      const us = await measure(side === 0 ? a : b);
      if (round >= 0) times[side].push(us);
    }
  }
  return differenceOf(...times);
}

async function measure({ ask }: Side): Promise<number> {
  const startedNs = process.hrtime.bigint();
  await ask().catch(() => undefined);
  return Number(process.hrtime.bigint() - startedNs) / 1000;
}

/** @param a the times of one side, and in the same order of turns `b` those of the other */
export function differenceOf(a: readonly number[], b: readonly number[]): Difference {
  const turns = sorted(b.map((us, turn) => us - (a[turn] ?? 0)));
  // The order statistics around the median: how many turns lie below it is a binomial distribution (the sign test).
  const spread = Math.ceil((SURE_ERRORS * Math.sqrt(turns.length)) / 2);
  const at = (index: number): number => turns[Math.min(turns.length - 1, Math.max(0, index))] ?? 0;
  const middle = Math.floor(turns.length / 2);
  return {
    medians: [medianOf(sorted(a)), medianOf(sorted(b))],
    difference: medianOf(turns),
    interval: [at(middle - spread), at(middle + spread)],
    t: studentOf(turns),
  };
}

/** Whether there is a difference at all. */
export function isSure({ interval: [from, to] }: Pick<Difference, 'interval'>): boolean {
  return from > 0 || to < 0;
}

/** Whether the times tell the two apart by more than the limit. */
export function isTelling({ medians, difference, interval }: Difference): boolean {
  return isSure({ interval }) && Math.abs(difference) > Math.max(LIMIT_US, LIMIT_PART * Math.min(...medians));
}

function sorted(times: readonly number[]): number[] {
  return times.toSorted((one, other) => one - other);
}

function medianOf(times: readonly number[]): number {
  const middle = Math.floor(times.length / 2);
  const upper = times[middle] ?? 0;
  return times.length % 2 === 1 ? upper : (upper + (times[middle - 1] ?? 0)) / 2;
}

function studentOf(turns: readonly number[]): number {
  const cut = Math.floor((turns.length * (1 - KEPT_PART)) / 2);
  const kept = turns.slice(cut, turns.length - cut);
  const mean = kept.reduce((sum, turn) => sum + turn, 0) / kept.length;
  const variance = kept.reduce((sum, turn) => sum + (turn - mean) ** 2, 0) / Math.max(1, kept.length - 1);
  return variance === 0 ? 0 : mean / Math.sqrt(variance / kept.length);
}
