import type { Feature } from '../feature.js';
import { runApart } from '../../store/database.js';
import { acceptedOf } from './accepted-failures.js';
import { rechecksOf } from './recheck.js';

export const triage = {
  tables: ['accepted_failures', 'rechecks'],
  exportOf: async (db, siteId) => ({
    acceptedFailures: await runApart(db, acceptedOf(siteId)),
    rechecks: await runApart(db, rechecksOf(siteId)),
  }),
  events: { failure_accepted: 'Failure accepted', acceptance_removed: 'Failure no longer accepted' },
  privacy: () => ({
    'Sites and runs': ['The failures that you accept with your reasons, and how checks came out that you made again.'],
  }),
} satisfies Feature;
