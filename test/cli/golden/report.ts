import { compareScans } from '../../../src/cli/compare.js';
import type { EarlierRun, ScanFormat } from '../../../src/cli/public-types.js';
import { createReport, type Report, type View } from '../../../src/cli/report/document.js';
import { SCAN_FORMATS } from '../../../src/cli/report/formats.js';
import { NAMES_NOT_TRIED } from '../../../src/scanner/artifacts/agent-replies.js';
import { describeTrial } from '../../../src/scanner/report/trial.js';
import { scoreOf } from '../../../src/scanner/report/score.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { ANSWER, finding, NOTES } from '../../support/reports.js';

const FIX = `Send it to https://www.example.com/.

\`\`\`
{"headers": [{"source": "/(.*)", "headers": [{"key": "${'x'.repeat(90)}", "value": "a b"}]}]}
\`\`\`

In nginx:

\`\`\`
location / { }
\`\`\`

In Caddy:

\`\`\`
header A b
\`\`\``;

/** Has each result, a failure that is not scored, and two undetermined checks with the same reason. */
export const FINDINGS: readonly Finding[] = [
  finding({ checkId: 'C-LLMS-01', result: 'FAIL', fix: FIX }),
  finding({ checkId: 'C-LLMS-03', result: 'UNDETERMINED', detail: 'No page could be read.' }),
  finding({ checkId: 'C-BOT-01', result: 'PASS', pillar: 'B' }),
  finding({ checkId: 'C-BOT-03', result: 'NOT_APPLICABLE', pillar: 'B', detail: NAMES_NOT_TRIED.text }),
  finding({ checkId: 'C-SD-01', result: 'UNDETERMINED', pillar: 'C', detail: 'No page could be read.' }),
  finding({ checkId: 'C-MD-01', result: 'FAIL', pillar: 'D', errorType: 'NO_NEGOTIATION' }),
  finding({ checkId: 'C-FWD-01', result: 'FAIL', pillar: null, scored: false }),
];

export const EARLIER: EarlierRun = {
  site: { hostname: 'www.example.com' },
  run: { score: 50, finishedAt: '2026-01-01T10:20:30.000Z', label: 'v1' },
  findings: [
    { checkId: 'C-LLMS-01', result: 'PASS' },
    { checkId: 'C-LLMS-03', result: 'UNDETERMINED' },
    { checkId: 'C-BOT-01', result: 'FAIL' },
    { checkId: 'C-BOT-03', result: 'NOT_APPLICABLE' },
    { checkId: 'C-SD-01', result: 'PASS' },
    { checkId: 'C-MD-01', result: 'UNDETERMINED' },
    { checkId: 'C-FWD-01', result: 'FAIL' },
    { checkId: 'C-OLD-01', result: 'PASS' },
  ],
};

/** @param earlier the scan that it is compared with */
export function reportOf(findings: readonly Finding[], earlier?: EarlierRun, more: Partial<Report> = {}): Report {
  const document = {
    site: { hostname: 'example.com' },
    run: { score: scoreOf(findings), startedAt: '2026-01-02T03:04:05.000Z', finishedAt: '2026-01-02T03:04:17.250Z' },
    ...{ findings, notes: [], gains: [] },
  };
  const comparison = earlier ? compareScans(earlier, { findings }) : null;
  return createReport('https://example.com', document, { comparison, ...more });
}

const base = reportOf(FINDINGS, EARLIER, {
  trial: { before: reportOf([]).document, note: describeTrial(new Map([[403, '/']])) },
  shortfalls: ['new failures: C-LLMS-01'],
});

/** A report with everything that a format may show. */
export const WHOLE: Report = {
  ...base,
  document: {
    ...base.document,
    ...ANSWER,
    site: { hostname: 'preview.example.net', judgedAs: 'https://example.com' },
    run: { ...base.document.run, label: 'v2' },
    notes: NOTES,
    gains: [
      { checkId: 'C-LLMS-01', points: 20, isAtLeast: true },
      { checkId: 'C-MD-01', points: 20, isAtLeast: false },
    ],
  },
};

const NO_COMPARISON: Report = { ...WHOLE, comparison: null, trial: null, shortfalls: [] };
const TERMINAL: Partial<View> = { hasColour: true, isUnicode: true, columns: 60, showsOnlyFailures: true };

/** Returns the content of each file of this folder. */
export function goldenReports(): Readonly<Record<string, string>> {
  const formats = Object.keys(SCAN_FORMATS) as ScanFormat[];
  return {
    ...Object.fromEntries(formats.map((format) => [format, SCAN_FORMATS[format](WHOLE, { fixes: 'all' })])),
    json: SCAN_FORMATS.json({ ...WHOLE, trial: null }),
    'table-brief': SCAN_FORMATS.table(NO_COMPARISON, TERMINAL),
    'markdown-brief': SCAN_FORMATS.markdown(NO_COMPARISON, TERMINAL),
  };
}
