import { entityTagOf } from '../../platform/http/conditional.js';
import { parseRun, type RunResponse } from './run.js';
import { formatResults } from './run-results.js';
import { RUN_FORMATS } from './run-texts.js';

/** What is stored alongside the body of a run, so that lists, comparisons and badges need not read it. */
export interface RunColumns {
  readonly number: number;
  readonly reference: string;
  readonly score: number | null;
  readonly trigger: string;
  readonly started_at: string;
  readonly finished_at: string;
  /** See run-results.ts. */
  readonly results: string;
  readonly etag: string;
}

export interface EpochRow {
  readonly number: number;
  readonly id: string;
}

/** What the entity tag of a run is made of: after a restore its epoch too, so that a number given out again has no tag of before. */
export function tagContent(epoch: EpochRow | null, whole: Uint8Array): Uint8Array {
  return epoch && epoch.number > 1 ? Buffer.concat([Buffer.from(`${epoch.id}\n`), whole]) : whole;
}

/**
 * Whether the columns of a run say what its body says: the body is in the chain, they are not.
 * @param whole the run as it is served
 * @param epochs in which it may have been stored
 */
export function matchesBody(
  siteId: string,
  columns: RunColumns,
  { whole, epochs }: { readonly whole: Uint8Array; readonly epochs: readonly EpochRow[] },
): boolean {
  let response: RunResponse;
  try {
    response = parseRun(whole);
  } catch {
    return false;
  }
  const { site, run } = response;
  return (
    site.id === siteId &&
    run.number === columns.number &&
    run.reference === columns.reference &&
    run.score === columns.score &&
    run.trigger === columns.trigger &&
    run.startedAt === columns.started_at &&
    run.finishedAt === columns.finished_at &&
    // No version has written them otherwise.
    RUN_FORMATS.some((format) => formatResults(response, format) === columns.results) &&
    epochs.some((epoch) => entityTagOf(tagContent(epoch, whole)) === columns.etag)
  );
}
