import { ServiceError } from '../../platform/errors.js';
import { InputError, RateLimitError } from '../../platform/input-error.js';

/** Result of a change to many sites. Sites that are in no list were removed in the meantime. */
export interface BulkOutcome {
  /** Host names of changed sites. */
  readonly done: readonly string[];
  /** Host names of sites that needed no change. */
  readonly unchanged: readonly string[];
  readonly skipped: readonly SkippedSite[];
}

export interface SkippedSite {
  readonly hostname: string;
  readonly why: string;
}

export const OVERLOADED = 'The service was overloaded, so this site was not changed. Try again in a minute.';

/** Collects the outcome of a change that is made site by site. */
export class BulkChange implements BulkOutcome {
  readonly done: string[] = [];
  readonly unchanged: string[] = [];
  readonly skipped: SkippedSite[] = [];
  #stopReason: string | null = null;

  /** Skips all sites that follow, for this reason. */
  stop(why: string): void {
    this.#stopReason ??= why;
  }

  /**
   * Changes a site. A used-up limit or an overloaded service also stops the change of the sites that follow.
   * @param change resolves to false if the site needs no change. Rejects with an InputError to skip it
   */
  async add(hostname: string, change: () => Promise<boolean>): Promise<void> {
    let why = this.#stopReason;
    try {
      if (why === null) {
        ((await change()) ? this.done : this.unchanged).push(hostname);
        return;
      }
    } catch (error) {
      why = reasonOf(error);
      if (error instanceof RateLimitError || error instanceof ServiceError) this.stop(why);
    }
    this.skipped.push({ hostname, why });
  }
}

/** @throws the error if it is a fault of ours */
function reasonOf(error: unknown): string {
  if (error instanceof InputError) return error.message;
  if (error instanceof ServiceError && error.code === 'overloaded') return OVERLOADED;
  throw error;
}
