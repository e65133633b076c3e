import type { Feature } from '../feature.js';
import { chosenPagesToExport } from './chosen-pages.js';
import { deleteOfAccount } from '../kept.js';
import { RECHECK_EVERY_MS, recheckOwnership } from './ownership-recheck.js';
import { timeAfter, utcDay } from '../../platform/clock.js';
import { ownershipTokenLines, siteListLines } from './site-export.js';
import { cleanUpSiteLists } from './site-list-statements.js';
import { countOf } from '../../platform/counts.js';
import { cleanUpOwnershipDays, countVoidDays, OWNERSHIP_DAYS_KEPT } from './ownership-day-statements.js';

const DAY_MS = 86_400_000;

/** Removal and export of what hangs on sites begin with them: see app/data. */
export const sites = {
  tables: [
    ...['sites', 'site_lists', 'ownership_tokens', 'ownership_days', 'unread_proofs', 'excluded_hosts', 'chosen_pages'],
  ],
  exportOf: chosenPagesToExport,
  closeAccount: [deleteOfAccount('site_lists')],
  cleanUps: [cleanUpOwnershipDays, cleanUpSiteLists],
  lines: { site_list: siteListLines, ownership_token: ownershipTokenLines },
  pages: () => import('./pages/routes.js'),
  events: {
    site_added: 'Site added',
    site_verified: 'Site verified',
    ownership_forced: 'Site verified by the operator',
    ownership_lost: 'Site no longer verified',
    pages_chosen: 'Pages chosen for the sample',
    tags_changed: 'Tags changed',
    site_mail_turned_on: 'Alerts of a site by e-mail turned on',
    site_mail_turned_off: 'Alerts of a site by e-mail turned off',
  },
  privacy: () => ({
    'Sites and runs': [
      {
        what: '**Sites**, and when and how each was verified or no longer was',
        why: 'To scan only what is yours',
        kept: 'Until you remove the site: that deletes it with everything kept of it. Your activity still names its host',
      },
      {
        what: '**Pages that you chose** for the sample: their paths, and which of them each run has read',
        why: 'To read these first, and to tell a change of the site from one of the choice',
        kept: 'Until you remove the site',
      },
      {
        what: '**Tags:** your own words for your sites',
        why: 'To find and to handle many at once',
        kept: 'Until you remove them, or the site',
      },
      {
        what: '**Lists of sites** that you gave to be added, with what came of each line',
        why: 'So that you see it before anything is added, and after',
        kept: 'A day, or until you give the next',
      },
      {
        what: '**Missing proof:** since when and on how many days it was not found',
        why: 'So that one bad day costs you nothing',
        kept: 'Until the proof is found again',
      },
      {
        what: '**Proofs by day:** how many were looked for, and hashes of two domains whose proof was found',
        why: 'To tell our own outage from yours',
        kept: countOf(OWNERSHIP_DAYS_KEPT, 'day'),
      },
      {
        what: '**Hosts left out:** the names of those whose owners asked not to be scanned',
        why: 'To leave them alone',
        kept: 'Until they ask to be scanned again',
      },
      {
        what: '**Proof of ownership:** the text that you publish',
        why: 'So that the proof still holds if you add the site again',
        kept: 'As long as your account',
      },
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
