import type { Feature } from '../feature.js';
import { runApart } from '../../store/database.js';
import { acceptedOf } from './accepted-failures.js';
import { rechecksOf } from './recheck.js';

export const triage: Feature = {
  tables: ['accepted_failures', 'rechecks'],
  exportOf: async (db, siteId) => ({
    acceptedFailures: await runApart(db, acceptedOf(siteId)),
    rechecks: await runApart(db, rechecksOf(siteId)),
  }),
};
