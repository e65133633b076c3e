import { cutDetail } from '../../src/scanner/artifacts/safe-text.js';
import type { ChosenPage } from '../../src/scanner/artifacts/pages.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { siteTable } from '../../src/app/sites/site.js';
import { type Database, openDatabase } from '../../src/store/database.js';
import { evidenceFor, storeEvidence } from './evidence.js';
import { NO_SCORE, type SeededSite, seedSites } from './many-sites.js';

/** Sites that are as hard on a page as a site may be. */
export interface HardSites {
  /** 500 runs, with gaps and failures that come and go; its host has labels as long as they may be. */
  readonly oldSiteId: string;
  /** The same host, once more below it, with one run. */
  readonly newSiteId: string;
  /** Twelve open failures, each with a detail as long as it may be, on a host in Japanese. */
  readonly failingSiteId: string;
  /** Nothing to fix, on a host in German. */
  readonly passingSiteId: string;
  /** No run has a score. */
  readonly downSiteId: string;
}

/** A key's name, and what a site says: words that break late, or have no spaces. */
export const LONG_WORDS =
  'Veröffentlichungsbenachrichtigungsdienst der Münchner Töpferei 秋の陶器の店の発行通知サービス';

const HARD_WORDS = `# Töpfereierzeugnisherstellungsverfahrensbeschreibung\n${'秋の陶器の店へようこそ'.repeat(12)}\nDisallow: /${'x'.repeat(200)}`;

/** Of the checks in the registry's order. */
const DETAILS = [
  '/llms.txt is missing: the server answered 404, and no page names another place for it.',
  'Line 1 is not a title, line 3 is not a summary, and line 12 is a link outside any section.',
  '31 of 48 links are dead: lines 9, 10, 14, 15, 18, 21, 22, 23, 27 and 22 others.',
  'The file has 61,402 tokens by our count, and agents read the first 8,000 of them.',
  'The sitemap that robots.txt names in line 7 answered 403 to each of three requests.',
  'The sitemap has 50,317 entries in one file, where its readers accept 50,000.',
  'Line 128 closes the home page to OAI-SearchBot, Claude-SearchBot and PerplexityBot.',
  'robots.txt lets OAI-SearchBot in at line 12, and the home page says noindex to the same agent.',
  'The server answered 403 to GPTBot, ClaudeBot and PerplexityBot, and 200 to a browser’s name.',
  'Home page, block 2: the JSON ends within a string, at character 1,204 of line 88.',
  'Home page, block 1: the price of the Offer is not a number, and three properties are misspelt.',
  'Nothing on the home page or on 4 other pages says which organisation is behind the site.',
];
const NOT_ASKED = 'The A2A agent card did not answer in time, three times in 9 seconds.';
/** More than a detail has room for. */
const AND_SO_ON = [
  'It was so on each of the 25 pages that were looked at; the first of them is the home page.',
  'It was still so when they were asked for once more, a minute later.',
  'Nothing else on the site stands in for it: whatever the pages, the sitemap and the files that agents read first name in its place gave the same answer, to a browser’s name, to the scanner’s own and to those of the agents that are looked at.',
].join(' ');

/** Five pages with addresses as long as they may be, of which the latest of two runs has read one. */
const CHOSEN: readonly ChosenPage[] = [
  { path: '/pricing', isRead: true },
  { path: `/${'x'.repeat(299)}`, isRead: false },
  { path: '/old/', isRead: false },
  { path: '/private/page', isRead: false },
];

async function choosePages(db: Database, siteId: string): Promise<void> {
  const paths = [...CHOSEN.map(({ path }) => path), '/%E7%A7%8B%E3%81%AE%E9%99%B6%E5%99%A8?sort=new&page=2'];
  await db.run(siteTable.update({ id: siteId }, { chosen_pages: JSON.stringify(paths) }));
}

export async function seedHardSites(databaseFile: string, accountId: string): Promise<HardSites> {
  const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.example`;
  const runs = Array.from({ length: 500 }, (_, index) => {
    if (index % 40 === 25) return NO_SCORE;
    return index % 27 < 9 ? 'ppfppppppfppnnuf' : 'pppfppfppfpfnnuf';
  });
  const detail = DETAILS.map((first) => cutDetail(`${first} ${AND_SO_ON}`));
  const said = [...DETAILS, '', '', NOT_ASKED, 'Entry 1 of the API catalog names a description that answers 404.'];
  const down = 'The home page returns status 503. Fix the server error, then run again.';
  const twelve = `${'f'.repeat(12)}${'p'.repeat(CHECKS.length - 12)}`;
  const sites: readonly SeededSite[] = [
    { hostname: longest, runs, detail: said, cause: down, named: [496, 500] },
    { hostname: `once.${longest}`, runs: runs.slice(0, 1), detail: said },
    {
      hostname: `xn--hxt89p819acga.${'e'.repeat(63)}.example`,
      ...{ runs: [twelve, twelve], detail, named: [1, 2], pages: { chosen: CHOSEN } },
    },
    { hostname: 'www.xn--mnchner-tpferei-htb7g.example', runs: ['', ''], detail },
    { hostname: `down.${longest}`, runs: [NO_SCORE, NO_SCORE], cause: down },
  ];
  const db = await openDatabase(`sqlite:${databaseFile}`);
  const [oldSiteId = '', newSiteId = '', failingSiteId = '', passingSiteId = '', downSiteId = ''] = await seedSites(
    ...([db, accountId, sites, new Date()] as const),
  );
  await choosePages(db, failingSiteId).finally(() => db.close());
  const url = `https://${sites[2]?.hostname}/robots.txt`;
  const evidence = evidenceFor('C-BOT-01', HARD_WORDS, { url, firstLine: 126, named: 128 });
  storeEvidence(databaseFile, { siteId: failingSiteId, number: 2 }, evidence);
  return { oldSiteId, newSiteId, failingSiteId, passingSiteId, downSiteId };
}
