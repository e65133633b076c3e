import t from 'tap';
import { packAnswer, unpackAnswer } from '../../../src/app/runs/run-bodies.js';
import type { Answer, Training } from '../../../src/scanner/artifacts/answer.js';
import { headlineOfAnswer, linesOfAnswer } from '../../../src/scanner/report/answer.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { splitFix } from '../../../src/scanner/verdict/fix-parts.js';
import { scan } from '../../../src/scanner/scan/scan.js';
import { openFixtureRun } from '../../support/collect.js';
import { type FixtureAnswer, type FixtureSite } from '../../support/fixture-site.js';
import { LoopbackTransport } from '../../support/fixture-server.js';

const WORDS = `<p>${'Words that everyone should see. '.repeat(100)}</p>`;
const PAGE = `<!doctype html><title>Home</title>${WORDS}`;
const SHOP = `<!doctype html><title>Home</title><a href="/shop">Shop</a>${WORDS}`;
const REFUSED: FixtureAnswer = { status: 403, body: 'Forbidden' };
const STALLED: FixtureAnswer = { failure: 'stalled' };
const CHALLENGE: FixtureAnswer = { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: 'Wait' };

/** Scans a whole site over loopback, by default one whose ownership is verified. */
async function answerTo(site: FixtureSite, isVerified = true, only?: readonly string[]): Promise<Answer | null> {
  const transport = await LoopbackTransport.open(site);
  const session = openFixtureRun(site, { isOwnershipVerified: isVerified, transport });
  const checks = CHECKS.filter(({ id }) => only === undefined || only.includes(id));
  return (await scan(session, { checks, clock: { now: () => new Date() } })).answer;
}

const robots = (...lines: string[]) => ({ '/robots.txt': lines.join('\n') });
const closedTo = (...names: string[]) => robots(...names.map((name) => `User-agent: ${name}`), 'Disallow: /');

/** A page that answers so to these names, and as usual to all others. */
const pageFor = (names: readonly string[], answer: FixtureAnswer, page = PAGE): FixtureSite['routes'][string] => {
  return ({ headers }) => (names.some((name) => headers['user-agent']?.includes(name)) ? answer : page);
};
const refusedTo = (...names: string[]) => ({ '/': pageFor(names, REFUSED) });

const OPENAI = ['OAI-SearchBot', 'ChatGPT-User'];
const YES = ['open', 'open Claude-SearchBot', 'open Perplexity-User'] as const;
const UNTESTED = 'open firewall';
const UNTESTABLE = 'open firewall address';
const OPEN = [...YES, UNTESTABLE, UNTESTABLE];
const ALL_UNTESTED = [UNTESTED, UNTESTED, UNTESTED, UNTESTABLE, UNTESTABLE];
const all = (facts: string): string[] => Array.from({ length: 5 }, () => facts);
const unproven = (token: string) => `unknown unproven server 403 ${token}`;

/** What an assistant's line states, apart from its wording: state, reason, and the sources, numbers and agents in it. */
function factsOf({ assistants }: Answer): string[] {
  const lines = linesOfAnswer({ assistants, training: 'unsaid' });
  return assistants.map(({ state, reason }, index) => {
    const named = lines[index]?.rest.match(/[A-Z]\w+-\w+|[A-Z]\w+Bot|robots\.txt|server|firewall|address|\d+/g) ?? [];
    const unique = state === 'unknown' ? [reason, ...(reason === 'unproven' ? named : [])] : named;
    return [state, ...unique].join(' ');
  });
}

/** By site: a site, what is said of ChatGPT, Claude, Perplexity, Google and Microsoft Copilot, and whatever else is not as usual. */
type Case = [site: FixtureSite['routes'], answers: readonly string[], more?: Partial<typeof USUAL>];
const USUAL = { isVerified: true, headline: / /, training: 'unsaid' as Training };
const UNVERIFIED = { isVerified: false };

const CASES: Readonly<Record<string, Case>> = {
  'no robots.txt, everybody served': [{}, OPEN, { headline: /^AI assistants can / }],
  'no robots.txt, not verified': [
    {},
    ALL_UNTESTED,
    { ...UNVERIFIED, headline: /^AI assistants are allowed in, but your firewall is not tested$/ },
  ],
  'robots.txt closes the site to all': [
    closedTo('*'),
    all('blocked 2 robots.txt'),
    { headline: /^AI assistants can't read /, training: 'refused' },
  ],
  'both agents of ChatGPT closed out': [
    closedTo(...OPENAI),
    ['blocked 3 robots.txt', ...OPEN.slice(1)],
    { headline: /^ChatGPT can't read / },
  ],
  'ChatGPT closed out of search': [
    closedTo('OAI-SearchBot'),
    ['partly OAI-SearchBot robots.txt 2', ...OPEN.slice(1)],
    { headline: /^ChatGPT can't fully / },
  ],
  "ChatGPT closed out of people's questions": [
    closedTo('ChatGPT-User'),
    // Named once more in what to do about it: no finding says that.
    ['partly ChatGPT-User robots.txt 2 ChatGPT-User', ...OPEN.slice(1)],
  ],
  "the server refuses ChatGPT's search, robots.txt closes out the other": [
    { ...closedTo('ChatGPT-User'), ...refusedTo('OAI-SearchBot') },
    ['blocked 2 robots.txt server 403 ChatGPT-User', ...OPEN.slice(1)],
  ],
  'Claude closed out by two lines': [
    robots('User-agent: Claude-SearchBot', 'Disallow: /', '', 'User-agent: Claude-User', 'Disallow: /'),
    [YES[0], 'blocked 2 5 robots.txt', ...OPEN.slice(2)],
  ],
  'Perplexity-User closed out, which may ignore robots.txt': [closedTo('Perplexity-User'), OPEN],
  'PerplexityBot closed out, which decides': [
    closedTo('PerplexityBot'),
    [...YES.slice(0, 2), 'blocked 2 robots.txt', UNTESTABLE, UNTESTABLE],
  ],
  'Googlebot closed out': [
    closedTo('Googlebot'),
    [...YES, 'blocked 2 robots.txt', UNTESTABLE],
    { headline: /^Google can't read / },
  ],
  'Bingbot closed out': [closedTo('bingbot'), [...YES, UNTESTABLE, 'blocked 2 robots.txt']],
  'everybody closed out but ChatGPT': [
    robots(...OPENAI.map((name) => `User-agent: ${name}`), 'Allow: /', '', 'User-agent: *', 'Disallow: /'),
    [YES[0], ...all('blocked 6 robots.txt').slice(1)],
    { headline: /^Claude, Perplexity, Google and Microsoft Copilot can't read /, training: 'refused' },
  ],
  'training crawlers closed out': [closedTo('GPTBot', 'ClaudeBot', 'Google-Extended'), OPEN, { training: 'partly' }],
  'training allowed by name': [robots('User-agent: GPTBot', 'Allow: /'), OPEN, { training: 'allowed' }],
  'training refused by a signal': [
    robots('User-agent: *', 'Content-Signal: search=yes, ai-train=no', 'Allow: /'),
    OPEN,
    { training: 'refused' },
  ],
  'training allowed by a header': [
    { '/': { body: PAGE, headers: { 'content-usage': 'train-ai=y' } } },
    OPEN,
    { training: 'allowed' },
  ],
  'every page but the first closed': [
    { '/': SHOP, '/shop': PAGE, ...robots('User-agent: *', 'Disallow: /', 'Allow: /$') },
    all('blocked 2 robots.txt'),
  ],
  'a key that Google alone reads': [
    robots('User-agents: *', 'Disallow: /'),
    [UNTESTED, UNTESTED, UNTESTED, 'blocked 2 robots.txt', UNTESTABLE],
    { training: 'partly' },
  ],
  'the server refuses ChatGPT by name': [
    refusedTo(...OPENAI),
    ['blocked server 403', ...OPEN.slice(1)],
    { headline: /^ChatGPT can't read / },
  ],
  'the server refuses ChatGPT by name, not verified': [refusedTo(...OPENAI), ALL_UNTESTED, UNVERIFIED],
  'the server refuses ChatGPT, Claude and Perplexity': [
    refusedTo(...OPENAI, 'Claude-User', 'PerplexityBot'),
    ['blocked server 403', 'partly Claude-User server 403', 'blocked server 403', UNTESTABLE, UNTESTABLE],
    { headline: /^ChatGPT and Perplexity can't read / },
  ],
  'robots.txt closes out one agent, the server the other': [
    { ...closedTo('OAI-SearchBot'), ...refusedTo('ChatGPT-User') },
    ['blocked 2 robots.txt server 403', ...OPEN.slice(1)],
  ],
  'the server breaks the connection to PerplexityBot': [
    { '/': pageFor(['PerplexityBot'], { failure: 'reset' }) },
    [...YES.slice(0, 2), 'blocked server', UNTESTABLE, UNTESTABLE],
  ],
  'the server refuses ChatGPT on another page': [
    { '/': SHOP, '/shop': pageFor(OPENAI, REFUSED) },
    ['partly server 403', ...OPEN.slice(1)],
    { headline: /^ChatGPT can't fully / },
  ],
  'the server refuses every name but ours': [
    { '/': ({ headers }) => (headers['user-agent']?.startsWith('AgentReadinessScan') ? PAGE : REFUSED) },
    [unproven('OAI-SearchBot'), unproven('Claude-User'), unproven('PerplexityBot'), UNTESTABLE, UNTESTABLE],
    { headline: /tell whether ChatGPT, Claude and Perplexity / },
  ],
  'robots.txt fails': [
    { '/robots.txt': 503 },
    all('unknown robots'),
    { headline: /tell whether AI assistants /, training: 'unknown' },
  ],
  'the home page fails': [{ '/': 503 }, all('unknown error'), { training: 'unknown' }],
  'no answer': [{ '*': STALLED, '/': STALLED }, all('unknown silent'), { training: 'unknown' }],
  'a challenge to everybody': [{ '/': CHALLENGE }, all('unknown challenge'), { training: 'unknown' }],
};

t.test('assistants are judged by robots.txt and the server', async (t) => {
  for (const [name, [site, answers, more]] of Object.entries(CASES)) {
    const { isVerified, headline, training } = { ...USUAL, ...more };
    const answer = await answerTo({ routes: { '/': PAGE, ...site } }, isVerified);
    if (answer === null) throw new Error(`${name}: no answer`);
    t.same(factsOf(answer), answers, name);
    t.match(headlineOfAnswer(answer), headline, name);
    t.equal(answer.training, training, `${name}: training`);
    const packed = packAnswer(answer) ?? '';
    t.same(unpackAnswer(packed), answer, `${name}: stored as ${packed}`);
    t.ok(packed.length <= 280, `${name}: ${packed.length} bytes`);
  }
});

t.test('the fix for blocked agents lets every assistant in', async (t) => {
  const fix = CHECKS.find(({ id }) => id === 'C-BOT-01')?.failures.BLOCKED?.fix ?? '';
  const group = splitFix(fix).find(({ kind }) => kind === 'snippet')?.text ?? '';
  const answer = await answerTo({ routes: { '/': PAGE, ...robots('User-agent: *', 'Disallow: /', '', group) } });
  t.same(
    answer?.assistants.map(({ state }) => state),
    Array(5).fill('open'),
  );
});

t.test('Googlebot follows Google’s parser, other agents every parser', async (t) => {
  for (const [line, google, others] of [
    ['Disallow all: /', 'disallowed', 'allowed'],
    ['Disallow: /', 'disallowed', 'disallowed'],
    ['Disallow: /\nAllow: /index.html', 'allowed', 'allowed'],
  ] as const) {
    const answer = await answerTo({ routes: { '/': PAGE, ...robots('User-agent: *', line) } });
    const robotsOf = (name: string) => answer?.assistants.find((one) => one.name === name)?.tokens[0]?.robots;
    t.strictSame([robotsOf('Google'), robotsOf('Microsoft Copilot')], [google, others], line);
  }
});

t.test('scans without C-BOT-01 give no answer; C-BOT-01 alone does not test the server', async (t) => {
  const site = { routes: { '/': PAGE } };
  t.equal(await answerTo(site, true, ['C-SD-01']), null);
  const moved = { '/': { status: 301, headers: { location: 'https://other.com/' } }, 'https://other.com/': PAGE };
  t.equal(await answerTo({ routes: moved }), null, 'nor does a site that has moved');
  const answer = await answerTo(site, true, ['C-BOT-01']);
  t.match(answer?.assistants[0], { name: 'ChatGPT', state: 'open', tokens: { 0: { server: 'untested' } } });
});

t.test('an open site is stored in few characters, and no answer as none', async (t) => {
  const packed = packAnswer(await answerTo({ routes: { '/': PAGE } })) ?? '';
  t.ok(packed.length > 0 && packed.length <= 120, packed);
  t.equal(packAnswer(null), null);
  t.equal(unpackAnswer(null), null);
});
