import { inParallel } from '../../platform/concurrency.js';
import { InputError, ServiceError } from '../../platform/errors.js';

/** Host names of changed sites, by result. Sites that are in no list were removed in the meantime. */
export interface BulkOutcome {
  readonly done: string[];
  readonly unchanged: string[];
  readonly skipped: { readonly hostname: string; readonly why: string }[];
}

export const OVERLOADED = 'The service was overloaded, so this site was not changed. Try again in a minute.';

/**
 * Changes sites, `atOnce` at a time. Once the service is overloaded, skips the remaining sites.
 * @param change resolves to false if the site needs no change; rejects with an InputError to skip it
 */
export async function changeEach<S extends { readonly hostname: string }>(
  sites: readonly S[],
  change: (site: S) => Promise<boolean>,
  atOnce = 1,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: [], unchanged: [], skipped: [] };
  let isOverloaded = false;
  await inParallel(sites, atOnce, async (site) => {
    const { hostname } = site;
    let why = OVERLOADED;
    if (!isOverloaded) {
      try {
        ((await change(site)) ? outcome.done : outcome.unchanged).push(hostname);
        return;
      } catch (error) {
        if (error instanceof InputError) why = error.message;
        else if (error instanceof ServiceError && error.code === 'overloaded') isOverloaded = true;
        else throw error;
      }
    }
    outcome.skipped.push({ hostname, why });
  });
  return outcome;
}
