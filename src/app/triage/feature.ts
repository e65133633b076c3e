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
    'Sites and runs': [
      {
        what: '**Accepted failures**, with your reasons',
        why: 'To set them apart from what there is to fix',
        kept: 'Until you take it back',
      },
      {
        what: '**Check again:** what each one found',
        why: 'To show you the answer',
        kept: 'Until you remove the site',
      },
    ],
  }),
} satisfies Feature;
