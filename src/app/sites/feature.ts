import type { Feature } from '../feature.js';
import { cleanUpOwnershipDays } from './ownership-day-statements.js';

/** Removal and export of what hangs on sites begin with them: see app/data. */
export const sites: Feature = {
  tables: ['sites', 'ownership_tokens', 'ownership_days', 'unread_proofs'],
  cleanUps: [cleanUpOwnershipDays],
};
