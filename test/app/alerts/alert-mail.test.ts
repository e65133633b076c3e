import t from 'tap';
import { siteChanged } from '../../../src/app/alerts/alert-event.js';
import { alertMail } from '../../../src/app/alerts/alert-mail.js';
import type { AlertChange } from '../../../src/app/alerts/changes.js';

const RUN = { number: 4, reference: 'CR-000004', trigger: 'MANUAL', finishedAt: '2026-03-15T12:00:00.000Z' } as const;
const STAYED = { score: 80, previousScore: 80 };
const PUBLIC_URL = 'https://readiness.test';

/** The mail of a run with these changes, by default of a score that stayed. */
function mailOf(
  changes: readonly AlertChange[],
  scores: { score: number | null; previousScore: number | null } = STAYED,
  commit: string | null = null,
) {
  const { score, previousScore } = scores;
  const event = siteChanged(
    { site: { id: 'site_k4tq7mzx2wvn5rhd3ycp', hostname: 'shop.example' }, run: { ...RUN, score } },
    { changes, previousScore, commit },
    { publicUrl: PUBLIC_URL, now: new Date(RUN.finishedAt) },
  );
  return alertMail({ id: 'msg_1', to: 'person@example.com', event, publicUrl: PUBLIC_URL });
}

const failing = (checkId: string): AlertChange => ({
  ...{ kind: 'CHECK_FAILING', checkId, title: null, headline: 'It is gone', errorType: 'MISSING' },
});
const fixed = (checkId: string): AlertChange => ({ kind: 'CHECK_FIXED', checkId, title: null });
const FELL: AlertChange = { kind: 'SCORE_FELL', from: 80, to: 60 };

t.test('a run that a commit names says with which one it broke', async (t) => {
  const { subject, text } = mailOf([failing('C-BOT-01')], STAYED, '4f2a1c9');
  t.equal(subject, 'shop.example: 1 new failure, at commit 4f2a1c9');
  t.match(text, /^What changed on shop\.example at commit 4f2a1c9:\n/);
});

t.test('the subject says the weightiest change, and nothing that did not happen', async (t) => {
  const moved = { score: 60, previousScore: 80 };
  const cases: readonly [changes: readonly AlertChange[], words: string, scores?: typeof moved][] = [
    [[{ kind: 'SITE_UNREACHABLE' }], 'the site cannot be reached'],
    [[failing('C-BOT-01')], '1 new failure'],
    [[FELL, failing('C-BOT-01'), failing('C-LLMS-01'), fixed('C-MD-01')], '80 → 60, 2 new failures', moved],
    [[FELL], '80 → 60, the score fell', moved],
    [[FELL, fixed('C-MD-01')], '80 → 60, the score fell', moved],
    [[{ kind: 'SITE_REACHABLE' }, fixed('C-MD-01')], 'the site can be reached again'],
    [[fixed('C-MD-01')], '1 fixed'],
    [[fixed('C-MD-01'), fixed('C-BOT-01')], '80 → 90, 2 fixed', { score: 90, previousScore: 80 }],
  ];
  for (const [changes, words, scores] of cases) {
    t.equal(mailOf(changes, scores).subject, `shop.example: ${words}`);
  }
});

t.test('without a score on one side the subject has none, and the text says so', async (t) => {
  const { subject, text } = mailOf([fixed('C-MD-01')], { score: 90, previousScore: null });
  t.equal(subject, 'shop.example: 1 fixed');
  t.match(text, 'Score: 90 (before: n/a), run CR-000004');
});
