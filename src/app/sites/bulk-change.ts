import { inParallel } from '../../platform/concurrency.js';
import { ServiceError } from '../../platform/errors.js';
import { InputError } from '../../platform/input-error.js';

/** Host names by the result of a change to some sites. Sites that are in no list were removed in the meantime. */
export interface BulkOutcome {
  readonly done: string[];
  readonly unchanged: string[];
  readonly skipped: { readonly hostname: string; readonly why: string }[];
}

export const OVERLOADED = 'The service was overloaded, so this site was not changed. Try again in a minute.';

/**
 * Changes sites, `atOnce` at a time. An overloaded service also skips the sites that follow.
 * @param change resolves to false if the site needs no change. Rejects with an InputError to skip it
 */
export async function changeEach<S extends { readonly hostname: string }>(
  sites: readonly S[],
  change: (site: S) => Promise<boolean>,
  atOnce = 1,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: [], unchanged: [], skipped: [] };
  let stopReason: string | null = null;
  await inParallel(sites, atOnce, async (site) => {
    const { hostname } = site;
    let why = stopReason;
    if (why === null) {
      try {
        ((await change(site)) ? outcome.done : outcome.unchanged).push(hostname);
        return;
      } catch (error) {
        why = reasonOf(error);
        if (error instanceof ServiceError) stopReason = why;
      }
    }
    outcome.skipped.push({ hostname, why });
  });
  return outcome;
}

/** @throws the error if it is a fault of ours */
function reasonOf(error: unknown): string {
  if (error instanceof InputError) return error.message;
  if (error instanceof ServiceError && error.code === 'overloaded') return OVERLOADED;
  throw error;
}
