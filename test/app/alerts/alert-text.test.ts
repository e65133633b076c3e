import t from 'tap';
import { type AccessChange, type Alert, type AlertChange, newAlert } from '../../../src/app/alerts/alert.js';
import { alertMail, CHAT_MESSAGES } from '../../../src/app/alerts/alert-text.js';
import type { MissingProofNotice, ProofProblem } from '../../../src/app/sites/missing-proof.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { namedFailures } from '../../../src/scanner/verdict/failure.js';
import { brokenRules } from '../../support/chat-rules.js';
import { sampleAlert } from '../../support/alerts.js';
import { PAYLOADS } from '../../e2e/payloads.js';

const URL = 'https://readiness.test';
const RUN_PAGE = `${URL}/sites/site_k4tq7mzx2wvn5rhd3ycp/runs/4`;
const NOW = new Date('2026-03-15T12:00:00.000Z');
const SITE = { id: 'site_k4tq7mzx2wvn5rhd3ycp', hostname: 'shop.example' };
const LONG = `${'a'.repeat(60)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(50)}.example.com`;

function mailOf(...changes: readonly AlertChange[]) {
  const alert = sampleAlert(URL, { changes, previousScore: 80 }, { hostname: SITE.hostname, score: 60 });
  return alertMail(alert, { id: 'msg_1', to: 'person@example.com' }, URL);
}

function failing(checkId: string, headline: string, errorType: 'BLOCKED' | 'MISSING'): AlertChange {
  return { kind: 'CHECK_FAILING', checkId, title: null, errorType, headline };
}

const BLOCKED = failing('C-BOT-01', 'robots.txt blocks AI agents (line 7)', 'BLOCKED');
const MISSING = failing('C-LLMS-01', 'There is no llms.txt', 'MISSING');
const FELL: AlertChange = { kind: 'SCORE_FELL', from: 80, to: 60 };
const fixed = (checkId: string): AlertChange => ({ kind: 'CHECK_FIXED', checkId, title: null });
const access = (
  assistant: string,
  before: AccessChange['before'],
  now: AccessChange['now'],
  reason: string | null = null,
): AccessChange => ({ kind: 'ACCESS_CHANGED', assistant, before, now, reason });

t.test('a mail names the worst failure first, and the score once, at the end', async (t) => {
  const { subject, text } = mailOf(FELL, MISSING, fixed('C-MD-01'), BLOCKED);
  t.match(subject, /^shop\.example: robots\.txt blocks AI agents \(line 7\),.* 1 more /);
  t.match(text.split('\n').slice(0, 6), [
    ': robots.txt blocks AI agents (line 7)',
    ': There is no llms.txt',
    '- Fixed: C-MD-01',
    /^$/,
    `: ${RUN_PAGE}`,
    / 60, .* 80 .*run 4/,
  ]);
});

t.test('the subject names the most important change', async (t) => {
  const gone = access('ChatGPT', 'open', 'blocked', 'robots.txt, line 7');
  const back = access('ChatGPT', 'blocked', 'open');
  const cases: readonly [changes: readonly AlertChange[], words: RegExp][] = [
    [[{ kind: 'SITE_UNREACHABLE' }], /^shop\.example: .*cannot be reached/],
    [[MISSING], /^shop\.example: There is no llms\.txt/],
    [[{ kind: 'SITE_REACHABLE' }, fixed('C-MD-01')], /^shop\.example: .*reached again/],
    [[fixed('C-MD-01')], /^shop\.example: 1 check fixed/],
    [[fixed('C-MD-01'), fixed('C-BOT-01')], /^shop\.example: 2 checks fixed/],
    [[BLOCKED, gone, access('Claude', 'open', 'blocked', 'robots.txt, line 7')], /^ChatGPT and Claude .* line 7/],
    [[back, fixed('C-BOT-01')], /^ChatGPT .* shop\.example again/],
    [[back, MISSING], /^shop\.example: There is no llms\.txt/],
  ];
  for (const [changes, words] of cases) t.match(mailOf(...changes).subject, words);
});

t.test('changes of access are one line for each cause, the worst first', async (t) => {
  const { text } = mailOf(
    access('Google', 'blocked', 'open'),
    access('Perplexity', 'open', 'partly', 'your server returns 403 on some pages'),
    access('ChatGPT', 'open', 'blocked', 'robots.txt, line 7'),
    access('Claude', 'partly', 'blocked', 'robots.txt, line 7'),
  );
  t.match(text.split('\n').slice(0, 3), [
    /^- ChatGPT and Claude .*: robots\.txt, line 7$/,
    /^- Perplexity .*: your server returns 403 on some pages$/,
    /^- Google .* again$/,
  ]);
});

const ALL_BROKEN = CHECKS.flatMap((check): AlertChange[] => {
  const [failure] = namedFailures(check);
  if (!failure) return [];
  const { headline, errorType } = failure;
  return [{ kind: 'CHECK_FAILING', checkId: check.id, title: check.title, headline, errorType }];
});
const A_HUNDRED = Array.from({ length: 6 }, () => ALL_BROKEN).flat();

/** One of each kind: the compiler misses a kind that is added. */
const CHANGES: Readonly<Record<AlertChange['kind'], AlertChange>> = {
  SCORE_FELL: FELL,
  CHECK_FAILING: MISSING,
  ACCESS_CHANGED: access('Microsoft Copilot', 'open', 'partly', `it can't open pages (${'x'.repeat(100)})`),
  CHECK_FIXED: fixed('C-LLMS-01'),
  SITE_UNREACHABLE: { kind: 'SITE_UNREACHABLE' },
  SITE_REACHABLE: { kind: 'SITE_REACHABLE' },
};
const PROBLEMS = Object.keys({ absent: 0, gone: 0, unread: 0 } satisfies Record<ProofProblem, 0>) as ProofProblem[];

const changed = (hostname: string, changes: readonly AlertChange[]) => sampleAlert(URL, { changes }, { hostname });
const proof = {
  fileUrl: 'https://shop.example/.well-known/agent-readiness.txt',
  dnsName: '_agent-readiness.shop.example',
};
const unread = (notice: Partial<MissingProofNotice>, hostname = SITE.hostname): Alert => {
  const usual = { problem: 'unread', since: NOW.toISOString(), countedDays: 3, daysLeft: 11, proof } as const;
  return newAlert('site.proof_unread', { site: { ...SITE, hostname }, ...usual, ...notice }, NOW);
};
const lost = (reason: ProofProblem, hostname = SITE.hostname): Alert =>
  newAlert('site.ownership_lost', { site: { ...SITE, hostname }, reason }, NOW);

/** Every alert that a chat gets, in each of its forms. */
const ALERTS: readonly Alert[] = [
  sampleAlert(URL),
  ...[SITE.hostname, LONG].map((hostname) => changed(hostname, ALL_BROKEN)),
  changed(LONG, A_HUNDRED),
  ...Object.values(CHANGES).map((change) => changed(LONG, [change])),
  unread({ countedDays: 1, proof: { ...proof, dnsName: null } }),
  ...PROBLEMS.flatMap((problem) => [unread({ problem }), lost(problem)]),
  ...[unread({}, LONG), lost('gone', LONG)],
  newAlert('test', { message: 'This is a test.' }, NOW),
];

t.test('every message to a chat is valid by the schema that the chat publishes', async (t) => {
  for (const alert of ALERTS) {
    for (const format of ['slack', 'discord'] as const)
      t.same(brokenRules(format, CHAT_MESSAGES[format](alert, URL)), [], JSON.stringify(alert).slice(0, 200));
  }
});

t.test('a message to a chat names the site, the failure, the page and the score', async (t) => {
  const lines = CHAT_MESSAGES.slack(sampleAlert(URL), URL).text.split('\n');
  t.match(lines, [
    /^www\.example\.com: .*llms\.txt/,
    /^$/,
    /^- .*llms\.txt$/,
    /^$/,
    `: ${RUN_PAGE}`,
    / 93, .* 100 .*run 4/,
  ]);
  const escaped = lines.map((line) =>
    line.includes(RUN_PAGE) ? line.replace(RUN_PAGE, `<${RUN_PAGE}>`) : line.replace(/[:()]/g, '\\$&'),
  );
  t.same(CHAT_MESSAGES.discord(sampleAlert(URL), URL).content.split('\n'), escaped);
});

t.test('where not all changes fit, the others are counted, and the link stays', async (t) => {
  const alert = changed(LONG, A_HUNDRED);
  for (const text of [CHAT_MESSAGES.slack(alert, URL).text, CHAT_MESSAGES.discord(alert, URL).content]) {
    t.match(text, /^and \d+ more$/m);
    t.match(text, /: <?https:\/\/readiness\.test\/sites\/\w+\/runs\/4>?\n/);
  }
});

t.test('no payload in place of a host name is markup, a mention or a link', async (t) => {
  const mentions = ['<!channel>', '<@U012AB3CD>', '@everyone', '<@&1>', ':tada:', '&lt;!here&gt;'];
  for (const hostname of [...PAYLOADS, ...mentions, '[a](https://evil.test)', '**b**']) {
    const alert = changed(hostname, [{ kind: 'SITE_UNREACHABLE' }]);
    t.same(brokenRules('slack', CHAT_MESSAGES.slack(alert, URL)), [], hostname);
    const unescaped = CHAT_MESSAGES.discord(alert, URL)
      .content.replace(/: <https:\/\/readiness\.test\/[\w/]+>\n/, '')
      .replace(/\\[^\w\s]/g, '');
    t.notMatch(unescaped, /[*_~`|<>#@:[\]()\\]/, hostname);
  }
});
