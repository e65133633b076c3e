import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { namedFailures } from '../../../src/scanner/verdict/failure.js';
import {
  type AlertEvent,
  type AlertEventType,
  type Message,
  newMessage,
  siteChangedMessage,
} from '../../../src/app/alerts/messages.js';
import type { AlertChange } from '../../../src/app/alerts/changes.js';
import { CHAT_MESSAGES } from '../../../src/app/alerts/words.js';
import type { MissingProofNotice, ProofProblem } from '../../../src/app/sites/ownership-recheck.js';
import { sampleEvent } from '../../support/webhooks.js';
import { PAYLOADS } from '../../e2e/payloads.js';
import { brokenRules } from '../../support/chat-rules.js';

const URL = 'https://readiness.test';
const NOW = new Date('2026-03-15T12:00:00.000Z');
const FORMATS = ['slack', 'discord'] as const;
const SITE = { id: 'site_k4tq7mzx2wvn5rhd3ycp', hostname: 'shop.example.com' };
const LONG = `${'a'.repeat(60)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(50)}.example.com`;

/** Everything that can be wrong at once. */
const ALL_BROKEN: readonly AlertChange[] = [
  { kind: 'SCORE_FELL', from: 100, to: 0 },
  ...CHECKS.flatMap((check): AlertChange[] => {
    const [failure] = namedFailures(check);
    if (!failure) return [];
    const { headline, errorType } = failure;
    return [{ kind: 'CHECK_FAILING', checkId: check.id, title: check.title, headline, errorType }];
  }),
];

function changeOf(hostname: string, changes = ALL_BROKEN): Message<'site.changed'> {
  const reference = { number: 4, reference: 'CR-000004', trigger: 'MANUAL' } as const;
  const run = { ...reference, finishedAt: NOW.toISOString(), score: 0 };
  const site = { ...SITE, hostname };
  return siteChangedMessage({ site, run, changes, previousScore: 100, commit: '4f2a1c9' }, URL, NOW);
}

const UNREAD = {
  ...{ problem: 'unread', since: NOW.toISOString(), countedDays: 3, daysLeft: 11 },
  proof: {
    fileUrl: 'https://shop.example.com/.well-known/agent-readiness.txt',
    dnsName: '_agent-readiness.shop.example.com',
  },
} as MissingProofNotice;

/** One of each kind: a kind that is added has to be here. */
const CHANGES: Readonly<Record<AlertChange['kind'], AlertChange>> = {
  SCORE_FELL: { kind: 'SCORE_FELL', from: 83, to: 75 },
  CHECK_FAILING: {
    ...{ kind: 'CHECK_FAILING', checkId: 'C-MD-01', title: null },
    ...{ headline: 'There is no Markdown', errorType: null },
  },
  ACCESS_CHANGED: {
    ...{ kind: 'ACCESS_CHANGED', assistant: 'Microsoft Copilot', before: 'open', now: 'partly' },
    reason:
      "it can list your pages in its search, but can't open them when someone asks (ChatGPT-User: robots.txt, line 1234567)",
  },
  CHECK_FIXED: { kind: 'CHECK_FIXED', checkId: 'C-LLMS-01', title: 'llms.txt file' },
  SITE_UNREACHABLE: { kind: 'SITE_UNREACHABLE' },
  SITE_REACHABLE: { kind: 'SITE_REACHABLE' },
};
const PROBLEMS = Object.keys({ absent: 0, gone: 0, unread: 0 } satisfies Record<ProofProblem, 0>) as ProofProblem[];

const unread = (notice: Partial<MissingProofNotice> = {}, hostname = SITE.hostname) =>
  newMessage('site.proof_unread', { site: { ...SITE, hostname }, ...UNREAD, ...notice }, NOW);
const lost = (
  reason: ProofProblem,
  { hostname = SITE.hostname, ...domain }: { hostname?: string; domain?: string } = {},
) => newMessage('site.ownership_lost', { site: { ...SITE, hostname }, reason, ...domain }, NOW);

/** Every message that a chat gets, in each of its forms. */
const EVENTS: {
  readonly [Type in Exclude<AlertEventType, 'webhook.disabled'>]: Readonly<Record<string, Message<Type>>>;
} = {
  'site.changed': {
    'the sample': sampleEvent(URL),
    'all checks broken': changeOf(SITE.hostname),
    'a host name as long as it may be': changeOf(LONG),
    'a hundred changes': changeOf(LONG, Array.from({ length: 6 }, () => ALL_BROKEN).flat()),
    ...Object.fromEntries(Object.entries(CHANGES).map(([kind, change]) => [kind, changeOf(LONG, [change])])),
  },
  'site.proof_unread': {
    'where no DNS record helps': unread({ countedDays: 1, proof: { ...UNREAD.proof, dnsName: null } }),
    ...Object.fromEntries(PROBLEMS.map((problem) => [problem, unread({ problem })])),
    'a long name': unread({}, LONG),
    'the record of a domain': unread({ domain: LONG }),
  },
  'site.ownership_lost': {
    ...Object.fromEntries(PROBLEMS.map((reason) => [reason, lost(reason)])),
    'the record of a domain': lost('absent', { domain: LONG }),
    'a long name': lost('gone', { hostname: LONG }),
  },
  test: { 'a test': newMessage('test', { message: 'This is a test.' }, NOW) },
};

for (const format of FORMATS) {
  t.test(`every message to ${format} is as the schema that it publishes has it`, async (t) => {
    for (const [type, events] of Object.entries(EVENTS)) {
      for (const [name, event] of Object.entries<AlertEvent>(events))
        t.same(brokenRules(format, CHAT_MESSAGES[format](event, URL)), [], `${type}: ${name}`);
    }
  });
}

t.test('the rules see what breaks them', async (t) => {
  const slack = CHAT_MESSAGES.slack(sampleEvent(URL), URL);
  const discord = CHAT_MESSAGES.discord(sampleEvent(URL), URL);
  const broken: readonly (readonly ['slack' | 'discord', object, RegExp])[] = [
    ['slack', { ...slack, text: '' }, /fewer than 1/],
    ['slack', { ...slack, text: 'a <!channel>' }, /not escaped/],
    ['slack', { ...slack, channel: '#general' }, /additional properties/],
    ['discord', { ...discord, content: 'x'.repeat(2001) }, /more than 2000/],
    ['discord', { ...discord, allowed_mentions: { parse: ['everyone'] } }, /more than 0 items/],
    ['discord', { content: discord.content }, /allowed_mentions/],
  ];
  for (const [format, message, fault] of broken) t.match(brokenRules(format, message).join('; '), fault);
});

t.test('a message has what the signed one has: site, failure, page, commit and score', async (t) => {
  const page = `${URL}/sites/site_k4tq7mzx2wvn5rhd3ycp/runs/13`;
  const { text } = CHAT_MESSAGES.slack(sampleEvent(URL), URL);
  const lines = text.split('\n');
  t.match(lines, [
    /^www\.example\.com: .*llms\.txt.* 4f2a1c9$/,
    /^$/,
    /^- .*llms\.txt$/,
    /^$/,
    `: ${page}`,
    / 93, .* 100 .*CR-000013/,
  ]);
  t.same(
    CHAT_MESSAGES.discord(sampleEvent(URL), URL).content.split('\n'),
    lines.map((line) => (line.includes(page) ? line.replace(page, `<${page}>`) : line.replace(/[:()]/g, '\\$&'))),
  );
});

t.test('where not all changes fit, the others are counted, and the link stays', async (t) => {
  const changes = Array.from({ length: 6 }, () => ALL_BROKEN).flat();
  for (const text of [
    CHAT_MESSAGES.slack(changeOf(LONG, changes), URL).text,
    CHAT_MESSAGES.discord(changeOf(LONG, changes), URL).content,
  ]) {
    t.match(text, /^and \d+ more$/m);
    t.match(text, /: <?https:\/\/readiness\.test\/sites\/\w+\/runs\/4>?\n/);
  }
});

t.test('no payload in place of a host name is markup, a mention or a link', async (t) => {
  const hostile = [
    ...PAYLOADS,
    '<!channel>',
    '<@U012AB3CD>',
    '@everyone',
    '<@&1>',
    '[a](https://evil.test)',
    '**b**',
    ':tada:',
    '&lt;!here&gt;',
  ];
  for (const hostname of hostile) {
    const event = changeOf(hostname, [{ kind: 'SITE_UNREACHABLE' }]);
    t.same(brokenRules('slack', CHAT_MESSAGES.slack(event, URL)), [], hostname);
    const unescaped = CHAT_MESSAGES.discord(event, URL)
      .content.replace(/: <https:\/\/readiness\.test\/[\w/]+>\n/, '')
      .replace(/\\[^\w\s]/g, '');
    t.notMatch(unescaped, /[*_~`|<>#@:[\]()\\]/, hostname);
  }
});
