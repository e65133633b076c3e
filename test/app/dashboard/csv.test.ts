import t from 'tap';
import type { Site } from '../../../src/app/sites/site.js';
import { formatSitesAsCsv, toListedSites } from '../../../src/web/pages/sites-view.js';
import { finding } from '../../support/reports.js';

const UNVERIFIED: Site = {
  ...{ id: 'site_a', accountId: 'acc_a', origin: 'https://shop.example.com', hostname: 'shop.example.com' },
  ...{ verifiedAt: null, verifiedBy: null, ownershipLostAt: null, missingProof: null, createdAt: '', tags: [] },
  ...{ chosenPages: null, platform: null, latestNumber: 0 },
};
const VERIFIED: Site = { ...UNVERIFIED, verifiedAt: '2026-03-15T12:00:00.000Z', latestNumber: 2 };
const LISTED = {
  latestAt: null,
  unscoredRuns: 0,
  isSilent: false,
  lastScored: null,
  trend: [],
  since: new Map<string, number>(),
};

/** The cell of a tag: what stands before it is the same for all. */
function cellOf(tag: string): string {
  const csv = formatSitesAsCsv(toListedSites([{ ...LISTED, site: { ...UNVERIFIED, tags: [tag] } }]));
  return /"unverified","","","","",(.*)\r\n$/s.exec(csv)?.[1] ?? '';
}

t.test('a text that a spreadsheet takes for a formula gets an apostrophe, which makes it text', async (t) => {
  for (const start of Array.from('=+-@|%＝＋－＠')) {
    t.equal(cellOf(`${start}1`), `"'${start}1"`, start);
    t.equal(cellOf(` \0 ${start}1`), `"' \0 ${start}1"`, `${start} after what a spreadsheet skips`);
    t.equal(cellOf(`1${start}1`), `"1${start}1"`, `${start} within a text`);
  }
  for (const start of ['\t', '\r', '\n']) t.equal(cellOf(`${start}a`), `"'${start}a"`, JSON.stringify(start));
  t.equal(cellOf('It answers\n404.'), '"It answers\n404."');
});

t.test('the list of sites has a line for each', async (t) => {
  const failures = [finding({ checkId: 'C-MD-01', result: 'FAIL', errorType: 'NO_NEGOTIATION' })];
  const sites = toListedSites([
    {
      ...LISTED,
      site: { ...VERIFIED, tags: ['=HYPERLINK("x")', 'b'] },
      latestAt: '2026-03-15T12:00:00.000Z',
      lastScored: {
        score: 67,
        findings: failures,
        failures,
        toFix: failures,
        change: { points: -6, newFailures: ['C-MD-01'], fixed: 0 },
      },
    },
    { ...LISTED, site: { ...UNVERIFIED, hostname: 'xn--mnchen-3ya.example.com' } },
  ]);
  t.same(formatSitesAsCsv(sites).split('\r\n'), [
    '\uFEFF"host","state","score","toFix","worstFailure","lastRun","tags"',
    '"shop.example.com","new failures","67","1","Pages are not offered as Markdown","2026-03-15T12:00:00.000Z","\'=HYPERLINK(""x""), b"',
    '"xn--mnchen-3ya.example.com","unverified","","","","",""',
    '',
  ]);
});
