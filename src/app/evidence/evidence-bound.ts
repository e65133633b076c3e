import type { Steps } from '../../queue/steps.js';
import { type Database, runOne } from '../../store/database.js';
import { PLANS } from '../accounts/plan.js';
import { untilNone } from '../kept.js';
import { deleteOldestEvidence, measureSomeEvidence, selectEvidenceUse } from './evidence-statements.js';

/** How often the evidence of each account is measured. What is kept meanwhile may be over the bound. */
export const BOUND_EVERY_MS = 3_600_000;

/**
 * Deletes the oldest evidence of each account whose evidence takes more than its plan has room for; runs stay. Resumes where it stopped
 * the last time, since one time may not be enough for all.
 */
export class EvidenceBound {
  #after = '';

  constructor(private readonly db: Database) {}

  async *begin(): Steps {
    const { db } = this;
    yield* untilNone(db, measureSomeEvidence({}));
    for (;;) {
      const use = await runOne(db, selectEvidenceUse({ after: this.#after }));
      if (!use) break;
      const { account_id, plan, bytes } = use;
      if (plan !== null) yield* this.#makeRoom(account_id, bytes - PLANS[plan].evidenceBytesMax);
      this.#after = account_id;
      yield;
    }
    this.#after = '';
  }

  async *#makeRoom(account_id: string, excessBytes: number): Steps {
    for (let excess = excessBytes; excess > 0;) {
      const deleted = await this.db.run(deleteOldestEvidence({ account_id, excess }));
      if (deleted.length === 0) return;
      excess -= deleted.reduce((sum, { bytes }) => sum + bytes, 0);
      yield;
    }
  }
}
