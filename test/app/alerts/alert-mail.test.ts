import t from 'tap';
import type { AlertChange } from '../../../src/app/alerts/changes.js';
import { siteChangedMessage } from '../../../src/app/alerts/messages.js';
import { alertMail } from '../../../src/app/alerts/words.js';

const RUN = { number: 4, reference: 'CR-000004', trigger: 'MANUAL', finishedAt: '2026-03-15T12:00:00.000Z' } as const;
const PUBLIC_URL = 'https://readiness.test';

/** The mail of a run with these changes. */
function mailOf(changes: readonly AlertChange[], score: number | null = 60, commit: string | null = null) {
  const site = { id: 'site_k4tq7mzx2wvn5rhd3ycp', hostname: 'shop.example' };
  const difference = { changes, previousScore: score === null ? null : 80 };
  const now = new Date(RUN.finishedAt);
  const event = siteChangedMessage({ site, run: { ...RUN, score }, ...difference, commit }, PUBLIC_URL, now);
  return alertMail(event, { id: 'msg_1', to: 'person@example.com' }, PUBLIC_URL);
}

const BLOCKED: AlertChange = {
  ...{ kind: 'CHECK_FAILING', checkId: 'C-BOT-01', title: null, errorType: 'BLOCKED' },
  headline: 'robots.txt blocks AI agents (line 7)',
};
const MISSING: AlertChange = {
  ...{ kind: 'CHECK_FAILING', checkId: 'C-LLMS-01', title: null, errorType: 'MISSING' },
  headline: 'There is no llms.txt',
};
const FELL: AlertChange = { kind: 'SCORE_FELL', from: 80, to: 60 };
const fixed = (checkId: string): AlertChange => ({ kind: 'CHECK_FIXED', checkId, title: null });

t.test('subject and first line name the worst failure, and the score comes once, at the end', async (t) => {
  const { subject, text } = mailOf([FELL, MISSING, fixed('C-MD-01'), BLOCKED], 60, '4f2a1c9');
  t.ok(subject.startsWith(`shop.example: ${BLOCKED.headline}`), subject);
  t.match(subject, / 1 more .* 4f2a1c9$/);
  t.match(text.split('\n').slice(0, 6), [
    `: ${BLOCKED.headline}`,
    `: ${MISSING.headline}`,
    '- Fixed: C-MD-01',
    /^$/,
    `: ${PUBLIC_URL}/sites/site_k4tq7mzx2wvn5rhd3ycp/runs/4`,
    / 60, .* 80 .*CR-000004/,
  ]);
});

t.test('the subject names the most important change', async (t) => {
  const cases: readonly [changes: readonly AlertChange[], words: string][] = [
    [[{ kind: 'SITE_UNREACHABLE' }], 'cannot be reached'],
    [[MISSING], MISSING.headline],
    [[{ kind: 'SITE_REACHABLE' }, fixed('C-MD-01')], 'reached again'],
    [[fixed('C-MD-01')], '1 check fixed'],
    [[fixed('C-MD-01'), fixed('C-BOT-01')], '2 checks fixed'],
  ];
  for (const [changes, words] of cases) t.match(mailOf(changes).subject, new RegExp(`^shop\\.example: .*${words}$`));
});

t.test('lost access is listed before every failure', async (t) => {
  const access = { kind: 'ACCESS_CHANGED', before: 'open', now: 'blocked', reason: 'robots.txt, line 7' } as const;
  const { subject, text } = mailOf([{ ...access, assistant: 'ChatGPT' }, { ...access, assistant: 'Claude' }, BLOCKED]);
  t.match(subject, /^ChatGPT and Claude .* shop\.example: robots\.txt, line 7$/);
  const [first, second] = text.split('\n');
  t.match(first, /^- ChatGPT and Claude .*: robots\.txt, line 7$/);
  t.match(second, BLOCKED.headline);
  const again = { ...access, assistant: 'ChatGPT', before: 'blocked', now: 'open', reason: null } as const;
  t.match(mailOf([again, fixed('C-BOT-01')]).subject, /^ChatGPT .* shop\.example again$/);
  t.match(mailOf([again, MISSING]).subject, MISSING.headline, 'good news leaves it to a failure');
});

t.test('a run without a score says so', async (t) => {
  t.match(mailOf([{ kind: 'SITE_UNREACHABLE' }], null).text, '\nScore: none (run CR-000004)\n');
});
