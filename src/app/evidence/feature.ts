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
            `Alongside each run of a verified site stands the evidence behind its failures, for you alone: the requests with their status and time, header fields of a fixed list, digests of the bodies, and short excerpts with what looks like a secret masked. It holds no cookies, and nothing of other hosts or of private networks that the operator did not open. It is deleted after ${countOf(evidenceDays, 'day')}, with the site, and when the site is no longer verified.`,
          ],
  }),
  upkeep({ db }) {
    const bound = new EvidenceBound(db);
    return [['EVIDENCE', BOUND_EVERY_MS, () => bound.begin()]];
  },
} satisfies Feature;
