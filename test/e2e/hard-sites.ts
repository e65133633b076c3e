import { cutDetail } from '../../src/scanner/artifacts/safe-text.js';
import type { ChosenPage } from '../../src/scanner/artifacts/pages.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { namedFailures } from '../../src/scanner/verdict/failure.js';
import type { Database } from '../../src/store/database.js';
import { evidenceFor, storeEvidence } from '../support/reports.js';
import { NO_SCORE, type SeededSite, seedSites } from '../support/many-sites.js';
import { updateRows } from '../support/tables.js';

/** Words that break late or have no spaces. */
export const LONG_WORDS =
  'Veröffentlichungsbenachrichtigungsdienst der Münchner Töpferei 秋の陶器の店の発行通知サービス';

const HARD_WORDS = `# Töpfereierzeugnisherstellungsverfahrensbeschreibung\n${'秋の陶器の店へようこそ'.repeat(12)}\nDisallow: /${'x'.repeat(200)}`;

const DETAILS = CHECKS.map((check) => `${namedFailures(check)[0]?.headline ?? check.title}.`);
/** Text longer than a detail may be. */
const AND_SO_ON = [
  'It was so on each of the 25 pages that were looked at; the first of them is the home page.',
  'It was still so when they were asked for once more, a minute later.',
  'Nothing else on the site stands in for it: whatever the pages, the sitemap and the files that agents read first name in its place gave the same answer, to a browser’s name, to the scanner’s own and to those of the agents that are looked at.',
].join(' ');

/** Pages with addresses of the longest kind, of which the latest run has read one. */
const CHOSEN: readonly ChosenPage[] = [
  { path: '/pricing', isRead: true },
  { path: `/${'x'.repeat(299)}`, isRead: false },
  { path: '/old/', isRead: false },
  { path: '/private/page', isRead: false },
];

const CHOSEN_PATHS = [...CHOSEN.map(({ path }) => path), '/%E7%A7%8B%E3%81%AE%E9%99%B6%E5%99%A8?sort=new&page=2'];

/** Adds sites with the longest texts and the most runs. */
export async function seedHardSites(db: Database, accountId: string) {
  const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.example`;
  const runs = Array.from({ length: 500 }, (_, index) => {
    if (index % 40 === 25) return NO_SCORE;
    return index % 27 < 9 ? 'ppfppppppfppnnuf' : 'pppfppfppfpfnnuf';
  });
  const detail = DETAILS.map((first) => cutDetail(`${first} ${AND_SO_ON}`));
  const down = 'The home page returns status 503. Fix the server error, then run again.';
  const twelve = `${'f'.repeat(12)}${'p'.repeat(CHECKS.length - 12)}`;
  const sites: readonly SeededSite[] = [
    { hostname: longest, runs, detail: DETAILS, cause: down, named: [496, 500] },
    { hostname: `once.${longest}`, runs: runs.slice(0, 1), detail: DETAILS },
    {
      hostname: `xn--hxt89p819acga.${'e'.repeat(63)}.example`,
      ...{ runs: [twelve, twelve], detail, named: [1, 2], pages: { chosen: CHOSEN } },
    },
    { hostname: 'www.xn--mnchner-tpferei-htb7g.example', runs: ['', ''], detail },
    { hostname: `down.${longest}`, runs: [NO_SCORE, NO_SCORE], cause: down },
  ];
  const ids = await seedSites(db, accountId, sites, new Date());
  const [oldSiteId = '', newSiteId = '', failingSiteId = '', passingSiteId = '', downSiteId = ''] = ids;
  await updateRows(db, 'sites', { id: failingSiteId }, { chosen_pages: JSON.stringify(CHOSEN_PATHS) });
  const url = `https://${sites[2]?.hostname}/robots.txt`;
  const evidence = evidenceFor('C-BOT-01', HARD_WORDS, { url, firstLine: 126, named: 128 });
  await storeEvidence(db, { siteId: failingSiteId, number: 2 }, evidence);
  return {
    /** 500 runs, with gaps and failures that come and go, on the longest host name. */
    oldSiteId,
    /** One run, on a subdomain of that host. */
    newSiteId,
    /** Twelve open failures with details of the greatest length, on a host in Japanese. */
    failingSiteId,
    /** Nothing to fix, on a host in German. */
    passingSiteId,
    /** No run has a score. */
    downSiteId,
  };
}
