import { yieldToEventLoop } from '../../net/event-loop.js';
import { ServiceError } from '../../platform/errors.js';

/** Result of a change to many sites. Sites that are in no list were removed in the meantime. */
export interface BulkOutcome {
  /** Host names of changed sites. */
  readonly done: readonly string[];
  /** Host names of sites that needed no change. */
  readonly unchanged: readonly string[];
  readonly skipped: readonly SkippedSite[];
  /** Why the change ended early; the sites that are in no list were then not changed. */
  readonly stopped?: string;
}

export interface SkippedSite {
  readonly hostname: string;
  readonly why: string;
}

/** Sites changed in one transaction. On SQLite, each transaction blocks everything else for a few hundredths of a second. */
const CHANGED_AT_ONCE = 200;

/**
 * Changes sites in batches and merges the outcomes. If the service is overloaded after some were changed, `stopped` says so.
 * @throws what `changeSome` throws, before anything was changed
 */
export async function changeInBatches<Site>(
  sites: readonly Site[],
  changeSome: (sites: readonly Site[]) => Promise<BulkOutcome>,
  atOnce = CHANGED_AT_ONCE,
): Promise<BulkOutcome> {
  const outcomes: BulkOutcome[] = [];
  const all = [...new Set(sites)];
  let stopped: string | undefined;
  for (let from = 0; from < all.length && stopped === undefined; from += atOnce) {
    try {
      outcomes.push(await changeSome(all.slice(from, from + atOnce)));
    } catch (error) {
      if (outcomes.length === 0) throw error;
      stopped = stopReason(error);
    }
    await yieldToEventLoop();
  }
  return {
    done: outcomes.flatMap(({ done }) => done),
    unchanged: outcomes.flatMap(({ unchanged }) => unchanged),
    skipped: outcomes.flatMap(({ skipped }) => skipped),
    ...(stopped !== undefined && { stopped }),
  };
}

/** Returns why a change of many sites ends early. @throws the error if the service is not to blame */
export function stopReason(error: unknown): string {
  if (!(error instanceof ServiceError) || error.code !== 'overloaded') throw error;
  return 'The service was overloaded, so these sites were not changed. Try again in a minute.';
}
