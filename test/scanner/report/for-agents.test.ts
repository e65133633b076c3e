import t from 'tap';
import { describeFailureForAgents, describeForAgents } from '../../../src/scanner/report/describe-report.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { finding } from '../../support/findings.js';

const MISSING = finding({ checkId: 'C-LLMS-01', result: 'FAIL', fix: 'Put a file there:\n\n```\n# Example Shop\n```' });
const BLOCKED = finding({
  checkId: 'C-BOT-01',
  result: 'FAIL',
  errorType: 'BLOCKED',
  detail: 'GPTBot is barred_by line 2.',
});
const GAINS = [{ checkId: 'C-LLMS-01', points: 19, isAtLeast: false }];
const origin = 'https://www.lamps.com';

t.test('failures are listed by severity with finding, fix and proof', async (t) => {
  const text = describeForAgents({
    origin,
    findings: [MISSING, finding({ checkId: 'C-MD-01', result: 'PASS' }), BLOCKED],
    gains: GAINS,
  });
  t.equal(
    text,
    [
      '# Make https://www.lamps.com ready for AI agents',
      '2 checks fail. Fix them in this order.',
      '## 1. robots.txt blocks AI agents',
      "C-BOT-01, BLOCKED. Blocked: Agents can't read the site.",
      'Seen at https://www.lamps.com: GPTBot is barred\\_by line 2.',
      'fix of C-BOT-01',
      '## 2. There is no llms.txt',
      'C-LLMS-01, MISSING. Missing: Agents look for it and cannot find it. The score, once it is fixed: +19 points.',
      'Seen at https://www.lamps.com: It answers 404.',
      'Put a file there:',
      '```\n# Example Shop\n```',
      '## Proof',
      'Once live, prove it in one call: by the MCP tool verify_fix with url "https://www.lamps.com" and checkIds ["C-BOT-01","C-LLMS-01"], or by `agent-readiness-scan scan https://www.lamps.com --only C-BOT-01,C-LLMS-01` where this scanner is installed.',
    ].join('\n\n'),
  );
});

t.test('sites that MCP cannot reach are proved by the command', async (t) => {
  const proof = (reach: { isLocal: boolean; hasFields: boolean }) =>
    describeForAgents({ origin, findings: [MISSING], gains: [] }, reach)
      .split('\n\n')
      .at(-1) ?? '';
  const command = 'agent-readiness-scan scan';
  t.match(proof({ isLocal: true, hasFields: false }), `\`${command} --local ${origin} --only C-LLMS-01\``);
  t.match(proof({ isLocal: false, hasFields: true }), `\`${command} ${origin} --only C-LLMS-01\`, with the --header`);
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
    [all(MISSING), /\n\nOne check /],
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
  ];
  for (const [text, says] of cases) t.match(text, says);
});
