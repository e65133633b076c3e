import t from 'tap';
import { cBot03 } from '../../../src/scanner/checks/c-bot-03.js';
import { gather } from '../../../src/scanner/gatherers/gather.js';
import { judge } from '../../../src/scanner/verdict/judge.js';
import { openFixtureRun } from '../../support/collect.js';
import type { FixtureAnswer, FixtureRequest, FixtureSite } from '../../support/fixture-site.js';

// Edges (CDN, firewall, bot rules) as functions of who asks for which page: what each comes to, and how often it is asked. Names of
// agents are those that our own strings hold.

const NAMES = [
  ...['OAI-SearchBot', 'ChatGPT-User', 'PerplexityBot', 'Perplexity-User', 'Claude-User', 'Claude-SearchBot'],
  ...['Googlebot', 'Lumiquary'],
] as const;
type Who = (typeof NAMES)[number] | 'own';

/** One request for a page. */
interface Asked {
  readonly who: Who;
  readonly path: string;
  /** The how manieth request of this name for this page it is. */
  readonly time: number;
  /** The how manieth request for any page. */
  readonly count: number;
}
type Edge = (asked: Asked) => FixtureAnswer | string;

const PATHS = ['/', '/docs/', '/blog/', '/pricing'] as const;
const LINKS = PATHS.slice(1).map((path) => `<a href="${path}">More</a>`);
const WORDS = 'Words that everyone should see. ';
const PAGE = `<!doctype html><title>Page</title>${LINKS.join('')}<p>${WORDS.repeat(100)}</p>`;

const FORBIDDEN: FixtureAnswer = { status: 403, body: 'Forbidden' };
const TOO_MANY: FixtureAnswer = { status: 429, body: 'Slow down' };
const STALLED: FixtureAnswer = { failure: 'stalled' };
const EMPTIED = '<!doctype html><title>Page</title><p>Hello bot</p>';
const JUST_A_MOMENT =
  '<!doctype html><title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/x"></script>';

/** Cloudflare's three categories, as far as we ask for their names. */
const SEARCH: readonly Who[] = ['OAI-SearchBot', 'PerplexityBot', 'Claude-SearchBot'];
const AGENT: readonly Who[] = ['ChatGPT-User', 'Claude-User', 'Perplexity-User'];
const AI: readonly Who[] = [...SEARCH, ...AGENT];
const OPENAI: readonly Who[] = ['OAI-SearchBot', 'ChatGPT-User'];

const turnAway =
  (names: readonly Who[], answer: FixtureAnswer | string = FORBIDDEN, isWhere = (path: string) => path !== ''): Edge =>
  ({ who, path }) =>
    names.includes(who) && isWhere(path) ? answer : PAGE;
const on = (path: string) => (asked: string) => asked === path;
/** Answers in this way after so many requests for pages. */
const limitAfter =
  (most: number, answer: FixtureAnswer): Edge =>
  ({ count }) =>
    count > most ? answer : PAGE;

function whoAsks({ headers }: FixtureRequest): Who {
  return NAMES.find((name) => headers['user-agent']?.includes(name)) ?? 'own';
}

function siteBehind(edge: Edge, robots: string): FixtureSite {
  const times = new Map<string, number>();
  let count = 0;
  const page = (request: FixtureRequest) => {
    const asked = { who: whoAsks(request), path: request.url.pathname };
    const key = `${asked.who} ${asked.path}`;
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    count += 1;
    return edge({ ...asked, time, count });
  };
  return { routes: { '/robots.txt': robots, ...Object.fromEntries(PATHS.map((path) => [path, page])) } };
}

/** What the check says, and the requests that only it makes: those under other names, and under our own again. */
async function askThrough(edge: Edge, robots = '') {
  const run = openFixtureRun(siteBehind(edge, robots));
  try {
    const evidence = await gather(run.context, ['home', 'sample', 'agentReplies'], run.context.visit.deadline);
    const { result, errorType, detail } = judge(cBot03, evidence).finding;
    const seen = new Set<string>();
    const asked = run.requests
      .map(({ url, headers, method }) => {
        const { pathname } = new URL(url);
        return { who: whoAsks({ url: new URL(url), headers, method }), path: pathname };
      })
      .filter(({ path }) => (PATHS as readonly string[]).includes(path))
      .filter(({ who, path }) => who !== 'own' || seen.size === seen.add(path).size);
    return { verdict: errorType === null ? result : `${result} ${errorType}`, detail: detail ?? '', asked };
  } finally {
    await run.close();
  }
}

const EDGES: [edge: string, answers: Edge, verdict: string, requests: number, says?: RegExp][] = [
  ['1 all let in', () => PAGE, 'PASS', 10, /pages 2, 3 and 4 under each name/],
  ['3 the category Agent blocked', turnAway(AGENT), 'FAIL UA_REJECTED', 10, /Home page: /],
  [
    '4 Agent and Training blocked, hence Googlebot',
    turnAway([...AGENT, 'Googlebot']),
    'FAIL UA_REJECTED',
    11,
    /Home page: .*ChatGPT-User \(status 403\) and Claude-User \(status 403\)\. Googlebot's name is also refused there\./,
  ],
  ['5 a challenge by 403', turnAway(AI, { status: 403, body: JUST_A_MOMENT }), 'FAIL UA_REJECTED', 14],
  ['5 a challenge by 503', turnAway(AI, { status: 503, body: JUST_A_MOMENT }), 'FAIL UA_REJECTED', 14],
  ['5 a challenge by 200', turnAway(AI, JUST_A_MOMENT), 'FAIL UA_REJECTED', 14, /a challenge page/],
  ['5 the same by 429', turnAway(AI, TOO_MANY), 'UNDETERMINED', 5, /status 429.*pages 2, 3 and 4 not asked for/],
  ['6 an unmarked challenge to all but us', ({ who }) => (who === 'own' ? PAGE : EMPTIED), 'NOT_APPLICABLE', 9],
  [
    '7 Markdown for AI names',
    turnAway(AI, { type: 'text/markdown', body: `# Page\n\n${WORDS.repeat(100)}` }),
    'PASS',
    10,
  ],
  ['7 30 % of the text', turnAway(AI, PAGE.slice(0, PAGE.length * 0.3)), 'PASS', 10, /Less than half of its text/],
  ['7 an emptied page', turnAway(AGENT, EMPTIED), 'FAIL UA_REJECTED', 10, /hardly any text/],
  [
    '8 Agent and Googlebot on /blog/ only',
    turnAway([...AGENT, 'Googlebot'], FORBIDDEN, on('/blog/')),
    'FAIL UA_REJECTED',
    16,
    /Page 3 \(link 2 of the home page\): these names are refused twice.*ChatGPT-User.*Claude-User/,
  ],
  ['9 a limit of 8 by 429', limitAfter(8, TOO_MANY), 'PASS', 6, /Left open: page 2 not settled/],
  ['9 a limit of 8 by 403', limitAfter(8, FORBIDDEN), 'PASS', 13, /Left open: page 2 not settled/],
  ['10 we are blocked', () => FORBIDDEN, 'UNDETERMINED', 0],
  ['11 unknown names blocked', turnAway([...AI, 'Lumiquary']), 'NOT_APPLICABLE', 9, /filters all bots\.$/],
  ['11 all known names blocked', turnAway([...AI, 'Googlebot']), 'NOT_APPLICABLE', 11, /may verify its visitors\.$/],
  ['12 agents time out', turnAway(AGENT, STALLED), 'FAIL TIMEOUT', 10, /Home page: these names get no answer/],
  ['OpenAI and Google verified by address', turnAway([...OPENAI, 'Googlebot']), 'NOT_APPLICABLE', 7],
  [
    '403 once, then served',
    ({ who, time, path }) => (who === 'ChatGPT-User' && time === 1 && path === '/' ? FORBIDDEN : PAGE),
    'PASS',
    14,
  ],
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
  for (const [at, path] of PATHS.entries()) {
    for (const names of [AGENT, AI, OPENAI, ['ChatGPT-User'], ['OAI-SearchBot', 'PerplexityBot']] as const) {
      for (const answer of [FORBIDDEN, { failure: 'reset' as const }, JUST_A_MOMENT, EMPTIED]) {
        const { verdict, detail, asked } = await askThrough(turnAway(names, answer, on(path)));
        t.equal(verdict, 'FAIL UA_REJECTED', `${names.join(' ')} on ${path}`);
        t.match(detail, at === 0 ? 'Home page: ' : `Page ${at + 1} (link `);
        const tried = names.filter((name) => !['Claude-SearchBot', 'Perplexity-User'].includes(name));
        for (const name of tried) t.match(detail, name);
        t.ok(asked.length <= 24, `${asked.length} requests`);
      }
    }
    const stalled = await askThrough(turnAway(AGENT, STALLED, on(path)));
    t.equal(stalled.verdict, 'FAIL TIMEOUT');
    t.match(stalled.detail, at === 0 ? 'Home page: ' : `Page ${at + 1} (`);
  }
  const both = await askThrough(({ who, path }) =>
    path !== '/blog/' ? PAGE : who === 'ChatGPT-User' ? STALLED : who === 'Claude-User' ? FORBIDDEN : PAGE,
  );
  t.equal(both.verdict, 'FAIL UA_REJECTED', 'a refusal weighs more than a stall');
  t.match(both.detail, /Page 3 .*Claude-User \(status 403\).*Page 3 .*no answer, twice.*ChatGPT-User/);
});

t.test('what does not go by the name alone is never charged', async (t) => {
  const answers: FixtureAnswer[] = [
    FORBIDDEN,
    TOO_MANY,
    STALLED,
    { status: 503 },
    { failure: 'reset' },
    { body: EMPTIED },
  ];
  const edges: [name: string, edge: Edge][] = [];
  for (const answer of answers) {
    for (let most = 0; most <= 28; most += 1) edges.push([`a limit of ${most}`, limitAfter(most, answer)]);
    for (const path of PATHS) {
      const isOther = (who: Who) => who !== 'own';
      edges.push([`no bots on ${path}`, (asked) => (isOther(asked.who) && asked.path === path ? answer : PAGE)]);
      edges.push([`unknown names and AI on ${path}`, turnAway([...AI, 'Lumiquary'], answer, on(path))]);
      edges.push([
        `one moody answer on ${path}`,
        (asked) => (asked.time === 1 && isOther(asked.who) && asked.path === path ? answer : PAGE),
      ]);
      edges.push([
        `our own name, too, in the end, on ${path}`,
        ({ who, time, path: asked }) =>
          asked === path && ((who === 'own' && time > 1) || AGENT.includes(who)) ? answer : PAGE,
      ]);
    }
    edges.push(['identities verified', turnAway([...AI, 'Googlebot'], answer)]);
    edges.push(['identities of some verified', turnAway(['ChatGPT-User', 'OAI-SearchBot', 'Googlebot'], answer)]);
  }
  for (const [name, edge] of edges) {
    const { verdict, detail, asked } = await askThrough(edge);
    t.notMatch(verdict, 'FAIL', `${name}: ${detail}`);
    t.ok(asked.length <= 24, `${name}: ${asked.length} requests`);
  }
});

t.test('our own knocking at further pages costs no verdict', async (t) => {
  for (const answer of [FORBIDDEN, TOO_MANY, STALLED, { status: 503 }, { status: 404 }]) {
    for (const path of PATHS.slice(1)) {
      const { verdict, detail } = await askThrough(({ who, path: asked }) =>
        who !== 'own' && asked === path ? answer : PAGE,
      );
      t.equal(verdict, 'PASS', `${path}: ${detail}`);
      t.match(detail, `page ${PATHS.indexOf(path) + 1} not settled`);
    }
  }
});

t.test('a page that serves no bot at all does not hide what the next one does', async (t) => {
  const { verdict, detail } = await askThrough(({ who, path }) =>
    (path === '/docs/' && who !== 'own') || (path === '/blog/' && AGENT.includes(who)) ? FORBIDDEN : PAGE,
  );
  t.equal(verdict, 'FAIL UA_REJECTED');
  t.match(detail, /Page 3 .*ChatGPT-User/);
  const all = await askThrough(({ who, path }) =>
    (path === '/docs/' && who !== 'own') || (path === '/blog/' && AI.includes(who)) ? FORBIDDEN : PAGE,
  );
  t.equal(all.verdict, 'FAIL UA_REJECTED', 'as many names as the requests that are left can prove');
  t.ok(all.asked.length <= 24, `${all.asked.length} requests`);
});

t.test(
  'one answer of 429 ends the round of the other pages, and is asked for again alone on the home page',
  async (t) => {
    const once = await askThrough(({ who, time, path }) =>
      who === 'PerplexityBot' && path === '/' && time === 1 ? TOO_MANY : PAGE,
    );
    t.equal(once.verdict, 'PASS');
    t.equal(once.asked.length, 5, 'the four names, and one of them again');
    t.match(once.detail, /pages 2, 3 and 4 not asked for/);
    const later = await askThrough(({ who, path }) => (path === '/blog/' && who === 'ChatGPT-User' ? TOO_MANY : PAGE));
    t.equal(later.verdict, 'PASS');
    t.equal(later.asked.length, 8);
    t.match(later.detail, /page 2 under each name.*Left open: page 3 not settled, page 4 not asked for/);
    const others = await askThrough(({ who }) =>
      who === 'PerplexityBot' ? TOO_MANY : AGENT.includes(who) ? FORBIDDEN : PAGE,
    );
    t.equal(others.verdict, 'FAIL UA_REJECTED', 'what is proven of the others stays');
  },
);

t.test('no name goes where robots.txt bars it', async (t) => {
  const edges: Edge[] = [
    () => PAGE,
    turnAway(AI),
    turnAway([...AI, 'Googlebot']),
    turnAway(AGENT, FORBIDDEN, on('/blog/')),
  ];
  const barred: [robots: string, who: Who, where: RegExp][] = [
    ['User-agent: Googlebot\nDisallow: /', 'Googlebot', /./],
    ['User-agent: Googlebot\nDisallow: /blog/', 'Googlebot', /blog/],
    ['User-agent: ChatGPT-User\nDisallow: /blog', 'ChatGPT-User', /blog/],
    ['User-agent: Claude-SearchBot\nDisallow: /', 'Claude-SearchBot', /./],
    ['User-agent: Perplexity-User\nUser-agent: PerplexityBot\nDisallow: /', 'Perplexity-User', /./],
    ['User-agent: Perplexity-User\nUser-agent: PerplexityBot\nDisallow: /', 'PerplexityBot', /./],
    ['User-agent: *\nDisallow: /\nUser-agent: ChatGPT-User\nUser-agent: Googlebot\nAllow: /', 'Lumiquary', /./],
    ['User-agent: *\nDisallow: /\nUser-agent: ChatGPT-User\nUser-agent: Googlebot\nAllow: /', 'OAI-SearchBot', /./],
  ];
  for (const [robots, who, where] of barred) {
    for (const edge of edges) {
      const { asked } = await askThrough(edge, robots);
      t.same(
        asked.filter((one) => one.who === who && where.test(one.path)),
        [],
        `${who}: ${robots}`,
      );
    }
  }
  const elsewhere = await askThrough(
    turnAway(AGENT, FORBIDDEN, on('/blog/')),
    'User-agent: ChatGPT-User\nDisallow: /blog',
  );
  t.match(
    elsewhere,
    { verdict: 'FAIL UA_REJECTED', detail: /Page 3 .*: Claude-User \(/ },
    'the other one of its purpose is asked for',
  );
  const unknown = await askThrough(turnAway(AGENT), 'User-agent: *\nDisallow: /\nUser-agent: ChatGPT-User\nAllow: /');
  t.match(unknown, { verdict: 'NOT_APPLICABLE', detail: /robots.txt disallows the invented name/ });
});

t.test(
  'no name follows a redirect to where robots.txt bars it, or to an origin whose robots.txt we have not read',
  async (t) => {
    const robots = 'User-agent: ChatGPT-User\nDisallow: /pricing\n';
    for (const location of ['/pricing', 'https://shop.fixture-site.com/', 'https://www.elsewhere.com/']) {
      const redirect: FixtureAnswer = { status: 302, headers: { location } };
      const run = openFixtureRun({
        routes: {
          ...siteBehind(({ who, path }) => (who === 'ChatGPT-User' && path === '/' ? redirect : PAGE), robots).routes,
          'https://shop.fixture-site.com/*': PAGE,
          'https://www.elsewhere.com/*': PAGE,
        },
      });
      const evidence = await gather(run.context, ['agentReplies'], run.context.visit.deadline);
      await run.close();
      t.match(
        judge(cBot03, evidence).finding,
        { result: 'UNDETERMINED', detail: /ChatGPT-User: status 302/ },
        location,
      );
      const led = run.requests.filter(
        ({ url, headers }) =>
          url === new URL(location, 'https://www.fixture-site.com').href &&
          headers['user-agent']?.includes('ChatGPT-User'),
      );
      t.same(led, [], location);
    }
    const within: Edge = ({ who, path }) =>
      who === 'ChatGPT-User' && path === '/' ? { status: 302, headers: { location: '/docs/' } } : PAGE;
    t.equal((await askThrough(within, robots)).verdict, 'PASS', 'an open path of the same origin is followed');
  },
);

t.test('sampled pages of another host are not asked for', async (t) => {
  const moved: FixtureAnswer = { status: 301, headers: { location: 'https://docs.fixture-site.com/start' } };
  const run = openFixtureRun({
    routes: {
      '/': PAGE,
      '/docs/': moved,
      '/blog/': PAGE,
      '/robots.txt': '',
      'https://docs.fixture-site.com/start': PAGE,
    },
  });
  const evidence = await gather(run.context, ['agentReplies'], run.context.visit.deadline);
  await run.close();
  t.match(judge(cBot03, evidence).finding, { result: 'PASS', detail: /Left open: page 2 not asked for/ });
  t.same(
    run.requests.filter(
      ({ url, headers }) =>
        url.includes('docs.fixture-site.com') && !headers['user-agent']?.startsWith('AgentReadinessScan'),
    ),
    [],
  );
});
