import t from 'tap';
import { describeFailureForAgents, describeForAgents } from '../../../src/scanner/report/describe-report.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { finding } from '../../support/reports.js';

const MISSING = finding({ checkId: 'C-LLMS-01', result: 'FAIL', fix: 'Put a file there:\n\n```\n# Example Shop\n```' });
const GAINS = [{ checkId: 'C-LLMS-01', points: 19, isAtLeast: false }];
const origin = 'https://www.lamps.com';

t.test('sites that MCP cannot reach are proved by the command', async (t) => {
  const proof = (reach: { isLocal: boolean; hasFields: boolean }) =>
    describeForAgents({ origin, findings: [MISSING], gains: [] }, reach).replace(/^[^]*\n\n/, '');
  const command = 'agent-readiness-scan scan';
  t.match(proof({ isLocal: true, hasFields: false }), `\`${command} --local ${origin} --only C-LLMS-01\``);
  t.match(
    proof({ isLocal: false, hasFields: true }),
    `\`${command} ${origin} --only C-LLMS-01\` with the same --header`,
  );
  const local = { origin: 'http://localhost:4511', findings: [], gains: [] };
  t.match(describeFailureForAgents(MISSING, local), `--local ${local.origin} --only`);
  for (const hasFields of [true, false]) t.notMatch(proof({ isLocal: !hasFields, hasFields }), 'verify_fix');
});

t.test('one failure, or none', async (t) => {
  const all = (...findings: Finding[]) => describeForAgents({ origin, findings, gains: [] });
  const open = (checkId: string) => finding({ checkId, result: 'UNDETERMINED', detail: 'The site_does not answer.' });
  const passed = finding({ checkId: 'C-LLMS-01', result: 'PASS' });
  const unscored = finding({ checkId: 'C-FWD-01', result: 'FAIL', scored: false });
  const bare = finding({ checkId: 'C-OLD-01', result: 'FAIL', detail: null, fix: null });
  const cases: [text: string, says: RegExp][] = [
    [
      describeFailureForAgents(MISSING, { origin, findings: [], gains: GAINS }),
      /^# [^\n]+\n\nC-LLMS-01, MISSING\.[^]*\bcheckIds \["C-LLMS-01"\]/,
    ],
    [all(MISSING), /\n\n1 thing to fix\.\n/],
    [all(), /^https:\/\/www\.lamps\.com has no failure[^\n]+$/],
    [
      all(open('C-MD-01'), open('C-BOT-01')),
      /^https:\/\/www\.lamps\.com has no score\b.*: The site\\_does not answer\. .*: C-MD-01, C-BOT-01\./,
    ],
    [all(passed, open('C-MD-01')), /^https:\/\/www\.lamps\.com has no failure\b.*: C-MD-01\.$/],
    [all(unscored, open('C-MD-01')), /^https:\/\/www\.lamps\.com has no score\b.*\n\n# /],
    [
      describeFailureForAgents(bare, { origin, findings: [], gains: [] }),
      /^# title of C-OLD-01\n\nC-OLD-01, MISSING\.\n\n[^\n]*\bverify_fix\b/,
    ],
    [
      describeFailureForAgents(finding({ checkId: 'C-BOT-03', result: 'FAIL' }), { origin, findings: [], gains: [] }),
      /\n\nOnce the fix is live, the owner of the site can prove it with “Check again”/,
    ],
  ];
  for (const [text, says] of cases) t.match(text, says);
});
