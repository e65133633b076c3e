import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { namedFailures } from '../../../src/scanner/verdict/failure.js';
import {
  type ChatEvent,
  ownershipLost,
  proofUnread,
  siteChanged,
  type SiteChangedEvent,
  testEvent,
  withPins,
} from '../../../src/app/alerts/alert-event.js';
import type { AlertChange } from '../../../src/app/alerts/changes.js';
import { chatMessage } from '../../../src/app/alerts/chat-message.js';
import type { ProofProblem } from '../../../src/app/sites/unread-proof.js';
import { sampleEvent, sampleForPeople } from '../../../src/app/alerts/pages/samples.js';
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

function changeOf(hostname: string, changes = ALL_BROKEN): SiteChangedEvent {
  const run = {
    number: 4,
    reference: 'CR-000004',
    trigger: 'MANUAL',
    finishedAt: NOW.toISOString(),
    score: 0,
  } as const;
  const event = siteChanged(
    { site: { ...SITE, hostname }, run },
    { changes, previousScore: 100, commit: '4f2a1c9' },
    { publicUrl: URL, now: NOW },
  );
  return withPins(
    event,
    CHECKS.map(({ id }) => ({ checkId: id, result: 'FAIL' })),
  );
}

const UNREAD = {
  ...{ problem: 'unread', since: NOW.toISOString(), countedDays: 3, daysLeft: 11 },
  proof: {
    fileUrl: 'https://shop.example.com/.well-known/agent-readiness.txt',
    dnsName: '_agent-readiness.shop.example.com',
  },
} as Parameters<typeof proofUnread>[1];

/** One of each kind: a kind that is added has to be here. */
const CHANGES: Readonly<Record<AlertChange['kind'], AlertChange>> = {
  SCORE_FELL: { kind: 'SCORE_FELL', from: 83, to: 75 },
  CHECK_FAILING: {
    ...{ kind: 'CHECK_FAILING', checkId: 'C-MD-01', title: null },
    ...{ headline: 'There is no Markdown', errorType: null },
  },
  CHECK_FIXED: { kind: 'CHECK_FIXED', checkId: 'C-LLMS-01', title: 'llms.txt is published' },
  SITE_UNREACHABLE: { kind: 'SITE_UNREACHABLE' },
  SITE_REACHABLE: { kind: 'SITE_REACHABLE' },
};
const PROBLEMS = Object.keys({ absent: 0, gone: 0, unread: 0 } satisfies Record<ProofProblem, 0>) as ProofProblem[];
const NO_DNS = { ...UNREAD, countedDays: 0, proof: { ...UNREAD.proof, dnsName: null } };

/** Every event that a chat gets, in each of its forms. */
const EVENTS: { readonly [Type in ChatEvent['type']]: Readonly<Record<string, ChatEvent & { readonly type: Type }>> } =
  {
    'site.changed': {
      'the sample that pages show': sampleForPeople(URL),
      'without pins, as earlier versions queue it': sampleEvent(URL),
      'all checks broken': changeOf(SITE.hostname),
      'a host name as long as it may be': changeOf(LONG),
      'a hundred changes': changeOf(LONG, Array.from({ length: 6 }, () => ALL_BROKEN).flat()),
      ...Object.fromEntries(Object.entries(CHANGES).map(([kind, change]) => [kind, changeOf(LONG, [change])])),
    },
    'site.proof_unread': {
      'where no DNS record helps': proofUnread(SITE, NO_DNS, NOW),
      ...Object.fromEntries(PROBLEMS.map((problem) => [problem, proofUnread(SITE, { ...UNREAD, problem }, NOW)])),
      'a long name': proofUnread({ ...SITE, hostname: LONG }, UNREAD, NOW),
      'the record of a domain': proofUnread(SITE, { ...UNREAD, domain: LONG }, NOW),
    },
    'site.ownership_lost': {
      ...Object.fromEntries(PROBLEMS.map((reason) => [reason, ownershipLost(SITE, { reason }, NOW)])),
      'the record of a domain': ownershipLost(SITE, { reason: 'absent', domain: LONG }, NOW),
      'a long name': ownershipLost({ ...SITE, hostname: LONG }, { reason: 'gone' }, NOW),
      'of an earlier version': { ...ownershipLost(SITE, { reason: 'gone' }, NOW), data: { site: SITE } },
    },
    test: { 'a test': testEvent(NOW) },
  };

for (const format of FORMATS) {
  t.test(`every message to ${format} is as the schema that it publishes has it`, async (t) => {
    for (const [type, events] of Object.entries(EVENTS)) {
      for (const [name, event] of Object.entries<ChatEvent>(events))
        t.same(brokenRules(format, chatMessage(format, event, URL)), [], `${type}: ${name}`);
    }
  });
}

t.test('the rules see what breaks them', async (t) => {
  const slack = chatMessage('slack', sampleForPeople(URL), URL);
  const discord = chatMessage('discord', sampleForPeople(URL), URL);
  const [embed] = discord.embeds;
  const broken: readonly (readonly ['slack' | 'discord', object, RegExp])[] = [
    ['slack', { ...slack, text: '' }, /fewer than 1/],
    ['slack', { ...slack, text: 'a <!channel>' }, /not escaped/],
    ['slack', { ...slack, blocks: Array.from({ length: 51 }, () => slack.blocks[0]) }, /more than 50/],
    ['slack', { ...slack, channel: '#general' }, /additional properties/],
    ['discord', { ...discord, embeds: [{ ...embed, title: 'x'.repeat(257) }] }, /more than 256/],
    [
      'discord',
      { ...discord, embeds: [embed, embed].map((one) => ({ ...one, description: 'x'.repeat(4000) })) },
      /8\d\d\d characters/,
    ],
    ['discord', { ...discord, allowed_mentions: { parse: ['everyone'] } }, /more than 0 items/],
    ['discord', { embeds: discord.embeds }, /allowed_mentions/],
  ];
  for (const [format, message, fault] of broken) t.match(brokenRules(format, message).join('; '), fault);
});

t.test(
  'a message says what the signed one says: site, scores, what broke, where to look, with which commit',
  async (t) => {
    const { title, description, color } = chatMessage('discord', sampleForPeople(URL), URL).embeds[0];
    t.equal(title, 'www.example.com\\: 100 → 93, 1 new failure, at commit 4f2a1c9');
    t.equal(color, 0xc2301b);
    t.match(description, '• C-LLMS-01 fails now\\: There is no llms.txt.');
    t.match(description, 'Score\\: 93 \\(before\\: 100\\), run CR-000013');
    t.match(description, `[See what was found and how to fix it](${URL}/sites/site_k4tq7mzx2wvn5rhd3ycp/runs/13)`);
    t.match(
      description,
      '`╻···┃┃  ┃┃┃  ┃┃┃┃  ┃┃┃┃  ┃`\n13 passed, 1 failed, 3 not applicable. Not scored\\: 1 passed.',
    );
    const { blocks, text } = chatMessage('slack', sampleForPeople(URL), URL);
    t.same(
      blocks.map((block) => block.text.text),
      [
        'www.example.com: 100 → 93, 1 new failure, at commit 4f2a1c9',
        'What changed on www.example.com at commit 4f2a1c9:',
        '• The score fell from 100 to 93.\n• C-LLMS-01 fails now: There is no llms.txt.',
        '`╻···┃┃  ┃┃┃  ┃┃┃┃  ┃┃┃┃  ┃`\n13 passed, 1 failed, 3 not applicable. Not scored: 1 passed.',
        `Score: 93 (before: 100), run CR-000013\n<${URL}/sites/site_k4tq7mzx2wvn5rhd3ycp/runs/13|See what was found and how to fix it>`,
      ],
    );
    t.match(text, `See what was found and how to fix it: ${URL}/sites/`, 'for what has no blocks');
    t.equal(
      chatMessage('discord', changeOf('a.example', [{ kind: 'CHECK_FIXED', checkId: 'C-MD-01', title: null }]), URL)
        .embeds[0].color,
      0x0d7a54,
    );
  },
);

t.test('of a name that is too long the end stays', async (t) => {
  const [{ title }] = chatMessage('discord', changeOf(LONG), URL).embeds;
  t.match(title, /^….*\.example\.com\\: 100 → 0, \d+ new failures, at commit 4f2a1c9$/);
  const [header] = chatMessage('slack', changeOf(LONG), URL).blocks;
  t.match(header?.text.text, /^….*\.example\.com: 100 → 0, \d+ new failures, at commit 4f2a1c9$/);
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
    t.same(brokenRules('slack', chatMessage('slack', event, URL)), [], hostname);
    const { embeds } = chatMessage('discord', event, URL);
    const unescaped = `${embeds[0].title}\n${embeds[0].description}`
      .replace(/\[See what was found and how to fix it\]\([^)]+\)|`[^`\n]+`(?=\n)/g, '')
      .replace(/\\[^\w\s]/g, '');
    t.notMatch(unescaped, /[*_~`|<>#@:[\]()\\]/, hostname);
  }
});
