import type { Steps } from '../../queue/steps.js';
import type { Database } from '../../store/database.js';
import type { Transaction } from '../../store/transaction.js';
import { lockSite } from '../sites/site.js';
import { selectChainedSites } from './chain-statements.js';
import type { ChainEnd, ObserveBrokenChain } from './chain.js';
import { RUN_CHAIN, SUPPLEMENT_CHAIN } from './run-chain.js';
import { RunTexts } from './run-texts.js';

export const LINK_EVERY_MS = 600_000;

/**
 * Links what has no link yet, of all sites: see {@link Chain.linkMissing}. Resumes where it stopped the last time, since one time may not be
 * enough for all.
 */
export class ChainSweep {
  #after = '';
  readonly #texts: RunTexts;

  constructor(
    private readonly db: Database,
    private readonly onBroken: ObserveBrokenChain,
  ) {
    this.#texts = new RunTexts(db);
  }

  async *begin(): Steps {
    for (;;) {
      const sites = await this.db.run(selectChainedSites({ after: this.#after }));
      for (const { id, run_counter, linked, supplemented } of sites) {
        if ((linked ?? 0) < run_counter) yield* this.#linkSite(RUN_CHAIN, id);
        if ((supplemented ?? 0) < run_counter) yield* this.#linkSite(SUPPLEMENT_CHAIN, id);
        this.#after = id;
      }
      if (sites.length === 0) break;
      yield;
    }
    this.#after = '';
  }

  async *#linkSite(chain: typeof RUN_CHAIN | typeof SUPPLEMENT_CHAIN, siteId: string): Steps {
    for (;;) {
      const end = await this.db.transaction(() => this.#linkMissingLocked(chain, siteId));
      // Before the sweep may be stopped: what is linked by now is not looked at again.
      if (end && end.brokenAt !== null) this.onBroken(siteId, end.brokenAt);
      yield;
      if (!end || end.isOpen || end.brokenAt !== null) return;
    }
  }

  /** Null for a site that was removed meanwhile. */
  *#linkMissingLocked(chain: typeof RUN_CHAIN | typeof SUPPLEMENT_CHAIN, siteId: string): Transaction<ChainEnd | null> {
    // Under the lock: a run that finished since the page of sites was read has linked further than it says.
    const latest = yield* lockSite(siteId);
    return latest === undefined ? null : yield* chain.linkMissing(siteId, latest, this.#texts);
  }
}
