import { yieldToEventLoop } from '../../net/event-loop.js';
import { InputError } from '../../platform/input-error.js';
import type { Site } from './site.js';

/** What came of something that was to be done to many sites: each is in one of the lists. */
export interface ManyOutcome {
  /** Host names. */
  readonly done: readonly string[];
  /** Of sites that were so already. */
  readonly same: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  /** Null for a site that is not there any more. */
  readonly hostname: string | null;
  readonly why: string;
}

/** So many sites are changed in one transaction, which on SQLite holds up all else: some hundredths of a second. */
const CHANGED_AT_ONCE = 200;

/** Does it to some sites at a time: each time says what came of its own. */
export async function inPieces(
  siteIds: readonly string[],
  changeSome: (siteIds: readonly string[]) => Promise<ManyOutcome>,
): Promise<ManyOutcome> {
  const outcomes: ManyOutcome[] = [];
  const ids = [...new Set(siteIds)];
  for (let from = 0; from < ids.length; from += CHANGED_AT_ONCE) {
    outcomes.push(await changeSome(ids.slice(from, from + CHANGED_AT_ONCE)));
    await yieldToEventLoop();
  }
  return {
    done: outcomes.flatMap(({ done }) => done),
    same: outcomes.flatMap(({ same }) => same),
    leftOut: outcomes.flatMap(({ leftOut }) => leftOut),
  };
}

/** A site that is not there any more. */
const GONE: LeftOut = { hostname: null, why: 'It was removed meanwhile.' };

/** Those of so many that were asked for of which nothing is known. */
export function goneOf(siteIds: readonly string[], known: number): readonly LeftOut[] {
  return Array.from({ length: new Set(siteIds).size - known }, () => GONE);
}

/**
 * Does something to each of some sites.
 * @param rows those that are there
 * @param change whether anything is changed by it. @throws InputError why it cannot be
 */
export function changeEach<Row extends Pick<Site, 'id' | 'hostname'>>(
  siteIds: readonly string[],
  rows: readonly Row[],
  change: (row: Row) => boolean,
): ManyOutcome {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const [done, same, leftOut]: [string[], string[], LeftOut[]] = [[], [], []];
  for (const id of siteIds) {
    const row = byId.get(id);
    if (row === undefined) {
      leftOut.push(GONE);
      continue;
    }
    try {
      (change(row) ? done : same).push(row.hostname);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      leftOut.push({ hostname: row.hostname, why: error.message });
    }
  }
  return { done, same, leftOut };
}
