import t from 'tap';
import type { RunResponse } from '../../../src/app/runs/run.js';
import { formatRunAsCsv } from '../../../src/web/pages/csv.js';
import { finding } from '../../support/findings.js';
import { formatSiteAsCsv, formatSitesHead } from '../../../src/web/pages/csv.js';
import { listedSitesOf } from '../../../src/web/pages/sites-view.js';

const RUN: RunResponse['run'] = {
  ...{ number: 1, reference: 'CR-000001', score: 50, trigger: 'API' },
  ...{ startedAt: '2026-03-15T12:00:00.000Z', finishedAt: null },
};

/** The cell of a finding whose detail this is: what stands before it is the same for all. */
function cellOf(detail: string): string {
  const findings = [finding({ checkId: 'C-MD-01', result: 'FAIL', detail, title: 'END' })];
  const csv = formatRunAsCsv({ site: { id: 'site_a', hostname: 'shop.example.com' }, run: RUN, findings });
  return /"MISSING",(.*),"END"/s.exec(csv)?.[1] ?? '';
}

t.test('a text that a spreadsheet takes for a formula gets an apostrophe, which makes it text', async (t) => {
  for (const start of Array.from('=+-@|%＝＋－＠')) {
    t.equal(cellOf(`${start}1`), `"'${start}1"`, start);
    t.equal(cellOf(` \0 ${start}1`), `"' \0 ${start}1"`, `${start} after what a spreadsheet skips`);
    t.equal(cellOf(`1${start}1`), `"1${start}1"`, `${start} within a text`);
  }
  for (const start of ['\t', '\r', '\n']) {
    t.equal(cellOf(`${start}a`), `"'${start}a"`, JSON.stringify(start));
    t.equal(cellOf(`a${start}a`), `"a${start}a"`, JSON.stringify(start));
  }
  t.equal(cellOf('It answers 404.'), '"It answers 404."');
  t.equal(cellOf(''), '""', 'an empty text is not what null is');
});

t.test('the list of sites has a line for each, its tags in one cell that a spreadsheet takes for text', async (t) => {
  const common = { verifiedAt: '2026-03-15T12:00:00.000Z', ownershipLostAt: null, missingProof: null };
  const sites = listedSitesOf([
    {
      site: { ...common, id: 'site_a', hostname: 'shop.example.com', tags: ['=HYPERLINK("x")', 'b'] },
      ...{ etag: '"a"', latestNumber: 2, latestAt: '2026-03-15T12:00:00.000Z', unscoredRuns: 0 },
      judged: {
        score: 67,
        findings: [finding({ checkId: 'C-MD-01', result: 'FAIL' })],
        change: { points: -6, newFailures: 1, fixed: 0 },
      },
    },
    {
      site: { ...common, id: 'site_b', hostname: 'xn--mnchen-3ya.example.com', verifiedAt: null, tags: [] },
      ...{ etag: '', latestNumber: 0, latestAt: null, unscoredRuns: 0, judged: null },
    },
  ]);
  const settings = { schedule: 'DAILY' as const, nextRunAt: '2026-03-16T00:00:00.000Z' };
  const ways = {
    token: 'token',
    dns: { name: '_agent-readiness.shop.example.com', value: 'token' },
    domain: { domain: 'example.com', name: '_agent-readiness.example.com', value: 'token subdomains' },
    file: { url: 'https://shop.example.com/file.txt', body: 'token' },
    meta: { url: 'https://shop.example.com/', tag: '<meta name="n" content="token">' },
  };
  const lines = sites.map((site, index) =>
    formatSiteAsCsv(site, { ...settings, hasMail: index === 0, ways: index === 0 ? ways : null }),
  );
  t.same((formatSitesHead() + lines.join('')).split('\r\n'), [
    '\uFEFF"hostname","name","verifiedAt","tags","state","score","points","newFailures","fixed","toFix","latestRun","latestAt","schedule","nextRunAt","emailAlerts","siteId","txtName","txtValue","domainTxtName","domainTxtValue","fileUrl","fileText","metaTag"',
    '"shop.example.com","shop.example.com","2026-03-15T12:00:00.000Z","\'=HYPERLINK(""x""), b","worse",67,-6,1,0,1,2,"2026-03-15T12:00:00.000Z","DAILY","2026-03-16T00:00:00.000Z","on","site_a","_agent-readiness.shop.example.com","token","_agent-readiness.example.com","token subdomains","https://shop.example.com/file.txt","token","<meta name=""n"" content=""token"">"',
    '"xn--mnchen-3ya.example.com","münchen.example.com",,"","unverified",,,,,,,,"DAILY",,"off","site_b",,,,,,,',
    '',
  ]);
});
