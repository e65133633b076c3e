import type { Feature } from '../feature.js';
import { RECHECK_EVERY_MS, recheckOwnership } from './ownership-recheck.js';
import { timeAfter, utcDay } from '../../platform/clock.js';
import { cleanUpOwnershipDays, countVoidDays } from './ownership-day-statements.js';

const DAY_MS = 86_400_000;

/** Removal and export of what hangs on sites begin with them: see app/data. */
export const sites = {
  tables: ['sites', 'ownership_tokens', 'ownership_days', 'unread_proofs'],
  cleanUps: [cleanUpOwnershipDays],
  pages: () => import('./pages/routes.js'),
  events: {
    site_added: 'Site added',
    site_verified: 'Site verified',
    ownership_forced: 'Site verified by the operator’s word',
    ownership_lost: 'Site no longer verified',
  },
  privacy: () => ({
    'Sites and runs': [
      'Your sites, and when and how each was verified or no longer was. They are kept until you remove them, which deletes them for good, with all that is kept of them; only your activity still names their hosts.',
      'Where the proof that a host is yours is not found: since when, and on how many days. By the day, how many proofs were looked for, and digests of two domains whose proof was found.',
      'The token that proves a host is yours stays with your account, so that the proof still holds if you add the site again.',
    ],
  }),
  gauges: {
    ownership_void_days: {
      help: 'Of yesterday and today, the days (UTC) on which the proofs of more than 5 % of the sites asked, and of more than 3, were newly not found.',
      labels: [],
      async read({ db, now }) {
        const [days] = await db.run(countVoidDays({ since: utcDay(timeAfter(now, -DAY_MS)) }));
        return [{ value: days?.count ?? 0 }];
      },
    },
  },
  upkeep: (work) => [['OWNERSHIP', RECHECK_EVERY_MS, () => recheckOwnership(work)]],
} satisfies Feature;
