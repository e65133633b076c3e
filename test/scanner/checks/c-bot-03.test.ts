import t from 'tap';
import { TRIED_TOKENS } from '../../../src/scanner/artifacts/agents.js';
import { cBot03 } from '../../../src/scanner/checks/c-bot-03.js';
import { gather } from '../../../src/scanner/scan/scan.js';
import { judge } from '../../../src/scanner/verdict/check.js';
import { type CollectOptions, openFixtureRun } from '../../support/collect.js';
import type { FixtureAnswer, FixtureRequest, FixtureSite } from '../../support/fixture-site.js';
import { redirectTo } from '../../support/visit-site.js';
import { outcomeOf } from './expect-findings.js';

// Edges (CDN, firewall, bot rules) as functions of who asks for which page: what each comes to, and how often it is asked.

const NAMES = [
  ...['OAI-SearchBot', 'ChatGPT-User', 'PerplexityBot', 'Perplexity-User', 'Claude-User', 'Claude-SearchBot'],
  ...['Googlebot', 'Lumiquary'],
] as const;
/** An agent, the invented name Lumiquary, or our own name alone. */
type Who = (typeof NAMES)[number] | 'own';
type Answer = FixtureAnswer | string;

/** A request for a page: the how manieth of this name for it (`time`), and for any page (`count`). */
interface Asked {
  readonly who: Who;
  readonly path: string;
  readonly time: number;
  readonly count: number;
}
type Edge = (asked: Asked) => Answer;

const OWN_NAME = 'AgentReadinessScan/1.0';
const PATHS: readonly string[] = ['/', '/docs/', '/blog/', '/pricing'];
const LINKS = PATHS.slice(1).map((path) => `<a href="${path}">More</a>`);
const WORDS = 'Words that everyone should see. ';
const PAGE = `<!doctype html><title>Page</title>${LINKS.join('')}<p>${WORDS.repeat(100)}</p>`;
const FORBIDDEN: FixtureAnswer = { status: 403, body: 'Forbidden' };
const TOO_MANY: FixtureAnswer = { status: 429, body: 'Slow down' };
const STALLED: FixtureAnswer = { failure: 'stalled' };
const RESET: FixtureAnswer = { failure: 'reset' };
const EMPTIED = '<!doctype html><title>Page</title><p>Hello bot</p>';
/** Longer than what we read of a page as an agent. */
const LONG = `<!doctype html><title>Page</title><style>${' '.repeat(530_000)}</style><p>Hello bot</p>`;
const JUST_A_MOMENT =
  '<!doctype html><title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/x"></script>';
const MARKDOWN = { type: 'text/markdown', body: `# Page\n\n${WORDS.repeat(100)}` };

/** Cloudflare's three categories, as far as we ask for their names. */
const SEARCH: readonly Who[] = ['OAI-SearchBot', 'PerplexityBot', 'Claude-SearchBot'];
const AGENT: readonly Who[] = ['ChatGPT-User', 'Claude-User', 'Perplexity-User'];
const AI: readonly Who[] = [...SEARCH, ...AGENT];
const OPENAI: readonly Who[] = ['OAI-SearchBot', 'ChatGPT-User'];
const P = ['PerplexityBot'] as const;

/** Answers some names otherwise, on one page or on every one. */
const turnAway =
  (names: readonly Who[], answer: Answer = FORBIDDEN, on?: string): Edge =>
  ({ who, path }) =>
    names.includes(who) && (on ?? path) === path ? answer : PAGE;
/** Answers one name otherwise the first time that it asks for the home page. */
const once =
  (name: Who, answer: Answer, then: Answer = PAGE): Edge =>
  ({ who, path, time }) =>
    who !== name || path !== '/' ? PAGE : time === 1 ? answer : then;
/** Answers in this way after so many requests for pages. */
const limitAfter =
  (most: number, answer: Answer): Edge =>
  ({ count }) =>
    count > most ? answer : PAGE;
/** Answers by name. */
const byName =
  (answers: Partial<Record<Who, Answer>>): Edge =>
  ({ who }) =>
    answers[who] ?? PAGE;

const whoAsks = (userAgent = ''): Who => NAMES.find((name) => userAgent.includes(name)) ?? 'own';

function siteBehind(edge: Edge, robots: string, paths = PATHS): FixtureSite {
  const times = new Map<string, number>();
  let count = 0;
  const page = ({ headers, url: { pathname: path } }: FixtureRequest) => {
    const who = whoAsks(headers['user-agent']);
    const time = (times.get(`${who} ${path}`) ?? 0) + 1;
    times.set(`${who} ${path}`, time);
    count += 1;
    return edge({ who, path, time, count });
  };
  return { routes: { '/robots.txt': robots, ...Object.fromEntries(paths.map((path) => [path, page])) } };
}

/** What the check says of a site, and who asked for what. */
async function scan(site: FixtureSite, options: CollectOptions = {}) {
  const run = openFixtureRun(site, options);
  try {
    const evidence = await gather(run.context, ['home', 'sample', 'agentReplies']);
    const { finding } = judge(cBot03, evidence);
    const requests = run.requests.map(({ url, headers }) => {
      const userAgent = headers['user-agent'] ?? '';
      return { url, path: new URL(url).pathname, userAgent, who: whoAsks(userAgent) };
    });
    return { verdict: outcomeOf(finding), detail: finding.detail ?? '', requests };
  } finally {
    await run.close();
  }
}

/** The same, and the requests that only it makes: those under other names, and under our own again. */
async function askThrough(edge: Edge, robots = '') {
  const { requests, ...found } = await scan(siteBehind(edge, robots));
  const seen = new Set<string>();
  const asked = requests
    .filter(({ path }) => PATHS.includes(path))
    .filter(({ who, path }) => who !== 'own' || seen.size === seen.add(path).size);
  return { ...found, asked };
}

const scanHome = (edge: Edge, robots = '', options: CollectOptions = {}) =>
  scan(siteBehind(edge, robots, ['/']), options);

t.test('a home page alone', async (t) => {
  const page = (words: string, count: number) => `<!doctype html><title>Home</title><p>${words.repeat(count)}`;
  const challenge = { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: 'Wait' };
  const xhtml =
    PAGE.replace('<title>', '<script src="/a.js"/><title>').replace('<!doctype html>', '<html>') + '</html>';
  const cases: Record<string, Record<string, Edge | readonly [edge: Edge, says: RegExp | string]>> = {
    'FAIL UA_REJECTED': {
      ...Object.fromEntries([401, 402, 403, 406, 451].map((status) => [status, turnAway(P, { status, body: 'no' })])),
      'a challenge': turnAway(P, challenge),
      ...Object.fromEntries(TRIED_TOKENS.map((name) => [name, [turnAway([name]), `${name} (status 403)`]])),
    },
    PASS: {
      'less text': [turnAway(P, PAGE.slice(0, 1000)), /Home page: less than half of the text is sent to PerplexityBot/],
      'little of a long page is still a page': ({ who }) => page('Words ', who === 'PerplexityBot' ? 100 : 2_000),
      'most of a short page is still a page': ({ who }) => page('Words ', who === 'PerplexityBot' ? 10 : 50),
      'a 503 that does not repeat': once('ChatGPT-User', { status: 503 }),
      'much of the text of a longer page': ({ who }) =>
        who === 'PerplexityBot' ? page('Words ', 300) + LONG : page('Words ', 2_000) + LONG,
      'XHTML is compared as XML': () => ({ type: 'application/xhtml+xml', body: xhtml }),
    },
    NOT_APPLICABLE: {
      'an invented name stalls, too': turnAway([...P, 'Lumiquary'], STALLED),
      'a home page that is not HTML': () => ({ body: '{}', type: 'application/json' }),
    },
    UNDETERMINED: {
      ...Object.fromEntries([429, 500, 404].map((status) => [status, turnAway(P, { status })])),
      'a body cut off': turnAway(P, { body: PAGE, cut: true }),
      'refused, then 500': once('PerplexityBot', FORBIDDEN, { status: 500 }),
      'refused, then stalled': once('PerplexityBot', FORBIDDEN, STALLED),
      'the start of a longer page': turnAway(P, LONG),
      'a control gets the start of a longer page': byName({ PerplexityBot: FORBIDDEN, Lumiquary: LONG }),
      'a control fails': byName({ PerplexityBot: FORBIDDEN, Lumiquary: { status: 500 } }),
      'whoever might vouch fails': byName({
        ...{ PerplexityBot: FORBIDDEN, 'Perplexity-User': FORBIDDEN, Googlebot: { status: 500 } },
      }),
      'our own name is refused by now': ({ who, time }) =>
        who === 'PerplexityBot' || (who === 'own' && time > 1) ? FORBIDDEN : PAGE,
    },
  };
  for (const [outcome, edges] of Object.entries(cases)) {
    for (const [name, row] of Object.entries(edges)) {
      const [edge, says] = typeof row === 'function' ? [row, ''] : row;
      const { verdict, detail } = await scanHome(edge);
      t.equal(verdict, outcome, `${name}: ${detail}`);
      if (says !== '') t.match(detail, says);
    }
  }
});

t.test('agents that robots.txt bars are not tried, and nobody is without a right to it', async (t) => {
  const bars = 'User-agent: PerplexityBot\nDisallow: /\n';
  t.match(await scanHome(() => PAGE, bars), { verdict: 'PASS', detail: /blocks them: PerplexityBot/ });
  t.match(await scanHome(() => PAGE, 'User-agent: *\nDisallow: /'), { verdict: 'NOT_APPLICABLE' });
  t.match(await scanHome(() => PAGE, '', { isOwnershipVerified: false }), { verdict: 'NOT_APPLICABLE' });
  t.match(await scan({ routes: { '/': PAGE, '/robots.txt': 500 } }), { verdict: 'NOT_APPLICABLE' });
  t.match(await scan({ routes: { '/': PAGE } }), { verdict: 'PASS' }, 'no robots.txt admits everyone');
});

t.test('on a site that serves everyone, four requests are enough, under published names and our own', async (t) => {
  const { requests } = await scanHome(() => PAGE);
  const names = requests.map(({ userAgent }) => userAgent).filter((name) => !name.startsWith(OWN_NAME));
  t.ok(names.every((name) => name.endsWith(` ${OWN_NAME}`)));
  t.same(names.map(whoAsks), [...TRIED_TOKENS]);
});

t.test('a control keeps the string and has another name and address', async (t) => {
  const names = (await scanHome(turnAway(P))).requests.map(({ userAgent }) => userAgent);
  const engine = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible;';
  t.ok(names.includes(`${engine} Lumiquary/1.0; +https://lumiquary.example/about) ${OWN_NAME}`));
  t.ok(names.includes(`Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) ${OWN_NAME}`));
  t.equal(names.filter((name) => name.includes('PerplexityBot')).length, 2);
});

const AGENT_AND_GOOGLE: readonly Who[] = [...AGENT, 'Googlebot'];
const BOTH_REFUSED =
  /Home page: .*ChatGPT-User \(status 403\) and Claude-User \(status 403\) are refused.*Requests as Googlebot are also refused\./;
const ON_PAGE_3 = /Page 3 \(link 2 of the home page\): requests as ChatGPT-User.*Claude-User.* are refused twice/;
const EDGES: [edge: string, answers: Edge, verdict: string, requests: number, says?: RegExp][] = [
  ['1 all let in', () => PAGE, 'PASS', 10, /under every name that we tried: pages 2, 3 and 4\./],
  ['4 Agent and Training blocked, hence Googlebot', turnAway(AGENT_AND_GOOGLE), 'FAIL UA_REJECTED', 11, BOTH_REFUSED],
  ['5 a challenge by 403', turnAway(AI, { status: 403, body: JUST_A_MOMENT }), 'FAIL UA_REJECTED', 14],
  ['5 the same by 429', turnAway(AI, TOO_MANY), 'UNDETERMINED', 5, /status 429.*Not tested: pages 2, 3 and 4\./],
  ['7 Markdown for AI names', turnAway(AI, MARKDOWN), 'PASS', 10],
  ['7 30 % of the text', turnAway(AI, PAGE.slice(0, PAGE.length * 0.3)), 'PASS', 10, /less than half of the text/],
  [
    '8 Agent and Googlebot on /blog/',
    turnAway(AGENT_AND_GOOGLE, FORBIDDEN, '/blog/'),
    'FAIL UA_REJECTED',
    16,
    ON_PAGE_3,
  ],
  ['9 a limit of 8 by 429', limitAfter(8, TOO_MANY), 'PASS', 6, /No clear result: page 2\./],
  ['9 a limit of 8 by 403', limitAfter(8, FORBIDDEN), 'PASS', 13, /No clear result: page 2\./],
  ['another page closed to all but us', turnAway(NAMES, FORBIDDEN, '/docs/'), 'PASS', 17, /No clear result: page 2\./],
  ['10 we are blocked', () => FORBIDDEN, 'UNDETERMINED', 0],
  ['11 unknown names blocked', turnAway([...AI, 'Lumiquary']), 'NOT_APPLICABLE', 9, /filters all bots\.$/],
  ['11 all known names blocked', turnAway([...AI, 'Googlebot']), 'NOT_APPLICABLE', 11, /agents by IP address\.$/],
  ['OpenAI and Google verified by address', turnAway([...OPENAI, 'Googlebot']), 'NOT_APPLICABLE', 7],
  ['403 once, then served', once('ChatGPT-User', FORBIDDEN), 'PASS', 14],
];

for (const [name, edge, verdict, requests, says] of EDGES) {
  t.test(`edge ${name}: ${verdict}, ${requests} requests`, async (t) => {
    const { detail, asked, ...found } = await askThrough(edge);
    t.equal(found.verdict, verdict, detail);
    t.equal(asked.length, requests, asked.map(({ who, path }) => `${who} ${path}`).join(', '));
    if (says) t.match(detail, says);
  });
}

t.test('a page that is closed to names is found wherever it is in the sample', async (t) => {
  const groups: readonly (readonly Who[])[] = [AGENT, AI, OPENAI, ['ChatGPT-User'], ['OAI-SearchBot', ...P]];
  for (const [at, path] of PATHS.entries()) {
    const place = at === 0 ? 'Home page: ' : `Page ${at + 1} (link `;
    for (const names of groups) {
      for (const answer of [FORBIDDEN, RESET, JUST_A_MOMENT, EMPTIED]) {
        const { verdict, detail, asked } = await askThrough(turnAway(names, answer, path));
        t.equal(verdict, 'FAIL UA_REJECTED', `${names.join(' ')} on ${path}`);
        const tried = names.filter((name) => !['Claude-SearchBot', 'Perplexity-User'].includes(name));
        for (const words of [place, ...tried]) t.match(detail, words);
        t.ok(asked.length <= 24, `${asked.length} requests`);
      }
    }
    t.match(await askThrough(turnAway(AGENT, STALLED, path)), { verdict: 'FAIL TIMEOUT', detail: place });
  }
  const both = byName({ 'ChatGPT-User': STALLED, 'Claude-User': FORBIDDEN });
  const found = await askThrough((asked) => (asked.path === '/blog/' ? both(asked) : PAGE));
  const detail = /Page 3 .*Claude-User \(status 403\).*Page 3 .*ChatGPT-User time out/;
  t.match(found, { verdict: 'FAIL UA_REJECTED', detail }, 'a refusal weighs more than a stall');
});

t.test('what does not go by the name alone is never charged', async (t) => {
  const edges: [name: string, edge: Edge][] = [];
  for (const answer of [FORBIDDEN, TOO_MANY, STALLED, { status: 503 }, RESET, { body: EMPTIED }]) {
    for (let most = 0; most <= 28; most += 1) edges.push([`a limit of ${most}`, limitAfter(most, answer)]);
    for (const on of PATHS) {
      edges.push(
        [`no bots on ${on}`, turnAway(NAMES, answer, on)],
        [`unknown names and AI on ${on}`, turnAway([...AI, 'Lumiquary'], answer, on)],
        [`one moody answer on ${on}`, (asked) => (asked.time === 1 ? turnAway(NAMES, answer, on)(asked) : PAGE)],
        [
          `our own name, too, in the end, on ${on}`,
          (asked) => turnAway(asked.time > 1 ? ['own', ...AGENT] : AGENT, answer, on)(asked),
        ],
      );
    }
    edges.push(['identities verified', turnAway([...AI, 'Googlebot'], answer)]);
    edges.push(['identities of some verified', turnAway([...OPENAI, 'Googlebot'], answer)]);
  }
  for (const [name, edge] of edges) {
    const { verdict, detail, asked } = await askThrough(edge);
    t.notMatch(verdict, 'FAIL', `${name}: ${detail}`);
    t.ok(asked.length <= 24, `${name}: ${asked.length} requests`);
  }
});

t.test('a page that serves no bot at all does not hide what the next one does', async (t) => {
  const closing = (names: readonly Who[]) =>
    askThrough((asked) => (asked.path === '/docs/' ? turnAway(NAMES) : turnAway(names, FORBIDDEN, '/blog/'))(asked));
  t.match(await closing(AGENT), { verdict: 'FAIL UA_REJECTED', detail: /Page 3 .*ChatGPT-User/ });
  const all = await closing(AI);
  t.equal(all.verdict, 'FAIL UA_REJECTED', 'as many names as the requests that are left can prove');
  t.ok(all.asked.length <= 24, `${all.asked.length} requests`);
});

t.test('one 429 ends the round of the other pages, and is asked for again alone on the home page', async (t) => {
  const first = await askThrough(once('PerplexityBot', TOO_MANY));
  t.match(first, { verdict: 'PASS', asked: { length: 5 }, detail: /Not tested: pages 2, 3 and 4\./ });
  const later = await askThrough(turnAway(['ChatGPT-User'], TOO_MANY, '/blog/'));
  t.match(later, {
    ...{ verdict: 'PASS', asked: { length: 8 } },
    detail: /under every name that we tried: page 2\. No clear result: page 3\. Not tested: page 4\./,
  });
  const others = await askThrough((asked) => (asked.who === 'PerplexityBot' ? TOO_MANY : turnAway(AGENT)(asked)));
  t.equal(others.verdict, 'FAIL UA_REJECTED', 'what is proven of the others stays');
});

t.test('no name goes where robots.txt bars it', async (t) => {
  const onBlog = turnAway(AGENT, FORBIDDEN, '/blog/');
  const allButTwo = 'User-agent: *\nDisallow: /\nUser-agent: ChatGPT-User\nUser-agent: Googlebot\nAllow: /';
  const perplexity = 'User-agent: Perplexity-User\nUser-agent: PerplexityBot\nDisallow: /';
  const barred: [robots: string, who: Who, where: RegExp][] = [
    ['User-agent: Googlebot\nDisallow: /', 'Googlebot', /./],
    ['User-agent: Googlebot\nDisallow: /blog/', 'Googlebot', /blog/],
    ['User-agent: ChatGPT-User\nDisallow: /blog', 'ChatGPT-User', /blog/],
    ['User-agent: Claude-SearchBot\nDisallow: /', 'Claude-SearchBot', /./],
    [perplexity, 'Perplexity-User', /./],
    [perplexity, 'PerplexityBot', /./],
    [allButTwo, 'Lumiquary', /./],
    [allButTwo, 'OAI-SearchBot', /./],
  ];
  for (const [robots, who, where] of barred) {
    for (const edge of [() => PAGE, turnAway(AI), turnAway([...AI, 'Googlebot']), onBlog]) {
      const { asked } = await askThrough(edge, robots);
      t.notOk(
        asked.some((one) => one.who === who && where.test(one.path)),
        `${who}: ${robots}`,
      );
    }
  }
  const other = await askThrough(onBlog, 'User-agent: ChatGPT-User\nDisallow: /blog');
  const detail = /Page 3 .*: requests as Claude-User \(/;
  t.match(other, { verdict: 'FAIL UA_REJECTED', detail }, 'the other one of its purpose is asked for');
  const alone = await askThrough(turnAway(AGENT), 'User-agent: *\nDisallow: /\nUser-agent: ChatGPT-User\nAllow: /');
  t.match(alone, { verdict: 'NOT_APPLICABLE', detail: /robots.txt blocks the invented name/ });
});

t.test('no name follows a redirect to a barred path or to an origin whose robots.txt we have not read', async (t) => {
  const robots = 'User-agent: ChatGPT-User\nDisallow: /pricing\n';
  for (const location of ['/pricing', 'https://shop.fixture-site.com/', 'https://www.elsewhere.com/']) {
    const { routes } = siteBehind(turnAway(['ChatGPT-User'], redirectTo(location), '/'), robots);
    const others = { 'https://shop.fixture-site.com/*': PAGE, 'https://www.elsewhere.com/*': PAGE };
    const { requests, ...found } = await scan({ routes: { ...routes, ...others } });
    t.match(found, { verdict: 'UNDETERMINED', detail: /ChatGPT-User.*status 302/ }, location);
    const { href } = new URL(location, 'https://www.fixture-site.com');
    t.notOk(requests.some(({ url, who }) => url === href && who === 'ChatGPT-User'));
  }
  const within = turnAway(['ChatGPT-User'], redirectTo('/docs/'), '/');
  t.equal((await askThrough(within, robots)).verdict, 'PASS', 'an open path of the same origin is followed');
});

t.test('sampled pages of another host are not asked for', async (t) => {
  const other = 'https://docs.fixture-site.com/start';
  const routes = { '/': PAGE, '/docs/': redirectTo(other, 301), '/blog/': PAGE, '/robots.txt': '', [other]: PAGE };
  const { requests, ...found } = await scan({ routes });
  t.match(found, { verdict: 'PASS', detail: /Not tested: page 2\./ });
  t.notOk(requests.some(({ url, userAgent }) => url === other && !userAgent.startsWith(OWN_NAME)));
});
