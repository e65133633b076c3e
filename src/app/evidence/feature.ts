import type { Feature } from '../feature.js';
import { BOUND_EVERY_MS, EvidenceBound } from './evidence-bound.js';
import { countOf } from '../../platform/counts.js';
import { cleanUpEvidence } from './evidence-statements.js';

export const evidence = {
  tables: ['run_evidence'],
  cleanUps: [cleanUpEvidence],
  events: { evidence_downloaded: 'Evidence downloaded' },
  privacy: ({ evidenceDays }) => ({
    'Sites and runs':
      evidenceDays === 0
        ? []
        : [
            {
              what: '**Evidence** behind failures: the requests with status and time, header fields of a fixed list, hashes of the bodies, and short excerpts in which what looks like a secret is masked. No cookies, and nothing of other hosts or of private networks that the operator did not open',
              why: 'So that you can see each failure yourself. For you alone, and for verified sites only',
              kept: `${countOf(evidenceDays, 'day')}, or until the site is removed or no longer verified`,
            },
          ],
  }),
  upkeep({ db }) {
    const bound = new EvidenceBound(db);
    return [['EVIDENCE', BOUND_EVERY_MS, () => bound.begin()]];
  },
} satisfies Feature;
