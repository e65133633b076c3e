import t from 'tap';
import { cBot03 } from '../../../src/scanner/checks/c-bot-03.js';
import type { TriedToken } from '../../../src/scanner/artifacts/agents/tokens.js';
import { TRIED_TOKENS } from '../../../src/scanner/artifacts/agents/tokens.js';
import type { CollectOptions } from '../../support/collect.js';
import { findingOf, openFixtureRun } from '../../support/collect.js';
import type { FixtureAnswer, FixtureRequest, FixtureSite } from '../../support/fixture-site.js';

const PAGE = `<!doctype html><title>Home</title><p>${'Words that everyone should see. '.repeat(100)}</p>`;
const REFUSED: FixtureAnswer = { status: 403, body: 'Forbidden' };
const STALLED: FixtureAnswer = { failure: 'stalled' };
const OWN_NAME = 'AgentReadinessScan/1.0';

/** Who asks: an agent, `Googlebot`, `Perplexity-User`, `invented`, or `own` for our own name alone. */
function whoAsks({ headers }: FixtureRequest): string {
  const name = headers['user-agent'] ?? '';
  const known = [...TRIED_TOKENS, 'Googlebot', 'Perplexity-User'].find((agent) => name.includes(agent));
  return known ?? (name.startsWith(OWN_NAME) ? 'own' : 'invented');
}

/** A site whose home page answers by who asks, and by which time they ask (from 1). */
function edge(answer: (who: string, time: number) => FixtureAnswer | string, robots = ''): FixtureSite {
  const times = new Map<string, number>();
  return {
    routes: {
      '/robots.txt': robots,
      '/': (request) => {
        const who = whoAsks(request);
        times.set(who, (times.get(who) ?? 0) + 1);
        return answer(who, times.get(who) ?? 1);
      },
    },
  };
}

async function outcomeOf(site: FixtureSite, options: CollectOptions = {}): Promise<string> {
  const { result, errorType } = await findingOf(cBot03, site, options);
  return errorType === null ? result : `${result} ${errorType}`;
}

const onlyFor = (agent: TriedToken, refusal: FixtureAnswer) => edge((who) => (who === agent ? refusal : PAGE));

t.test('one name that is refused twice, while all others are served, is rejected', async (t) => {
  const refusals: [name: string, answer: FixtureAnswer][] = [
    ...[401, 402, 403, 406, 451].map((status): [string, FixtureAnswer] => [String(status), { status, body: 'no' }]),
    ['reset', { failure: 'reset' }],
    ['challenge', { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: 'Wait' }],
    ['a page without its text', { body: '<!doctype html><title>Bot</title><p>Hello bot</p>' }],
  ];
  for (const [name, answer] of refusals) {
    t.equal(await outcomeOf(onlyFor('PerplexityBot', answer)), 'FAIL UA_REJECTED', name);
  }
  for (const agent of TRIED_TOKENS) {
    const { errorType, detail } = await findingOf(cBot03, onlyFor(agent, REFUSED));
    t.equal(errorType, 'UA_REJECTED');
    t.match(detail, `${agent} (status 403)`);
  }
});

t.test('one name that is left without an answer twice is a timeout', async (t) => {
  t.equal(await outcomeOf(onlyFor('Claude-User', STALLED)), 'FAIL TIMEOUT');
  const both = edge((who) => (who === 'Claude-User' ? STALLED : who === 'ChatGPT-User' ? REFUSED : PAGE));
  t.match(await findingOf(cBot03, both), { errorType: 'UA_REJECTED', detail: /ChatGPT-User.*Claude-User/ });
});

t.test('agents that are served pass, with notes', async (t) => {
  t.match(
    await findingOf(
      cBot03,
      edge(() => PAGE),
    ),
    { result: 'PASS', detail: /OAI-SearchBot, ChatGPT-User, PerplexityBot and Claude-User/ },
  );
  const thin = edge((who) => (who === 'PerplexityBot' ? PAGE.slice(0, 1000) : PAGE));
  t.match(await findingOf(cBot03, thin), {
    result: 'PASS',
    detail: /Less than half of its text goes to PerplexityBot/,
  });
  const markdown = edge((who) =>
    who === 'own' ? PAGE : { type: 'text/markdown', body: '# Home\n\n' + 'Words. '.repeat(400) },
  );
  t.equal(await outcomeOf(markdown), 'PASS');
  const brief = '<!doctype html><title>Home</title><p>';
  const long = edge((who) => brief + 'Words '.repeat(who === 'PerplexityBot' ? 100 : 2_000));
  t.equal(await outcomeOf(long), 'PASS', 'little of a long page is still a page');
  const short = edge((who) => brief + 'Words '.repeat(who === 'PerplexityBot' ? 10 : 50));
  t.equal(await outcomeOf(short), 'PASS', 'most of a short page is still a page');
  const moody = edge((who, time) => (who === 'ChatGPT-User' && time === 1 ? REFUSED : PAGE));
  t.equal(await outcomeOf(moody), 'PASS', 'a refusal that does not repeat');
  const busy = edge((who, time) => (who === 'ChatGPT-User' && time === 1 ? { status: 503 } : PAGE));
  t.equal(await outcomeOf(busy), 'PASS', 'a 503 that does not repeat');
});

t.test('a page of XHTML is compared as XML, too', async (t) => {
  const xhtml =
    PAGE.replace('<title>', '<script src="/a.js"/><title>').replace('<!doctype html>', '<html>') + '</html>';
  t.equal(await outcomeOf(edge(() => ({ type: 'application/xhtml+xml', body: xhtml }))), 'PASS');
});

t.test('where a control is refused a name proves nothing', async (t) => {
  for (const answer of [REFUSED, STALLED]) {
    const alike = edge((who) => (who === 'PerplexityBot' || who === 'invented' ? answer : PAGE));
    t.equal(await outcomeOf(alike), 'NOT_APPLICABLE', 'an invented name');
    const known = edge((who) => (['PerplexityBot', 'Perplexity-User', 'Googlebot'].includes(who) ? answer : PAGE));
    t.equal(await outcomeOf(known), 'NOT_APPLICABLE', 'every name that could be verified');
  }
  t.equal(await outcomeOf(edge((who) => (who === 'own' ? PAGE : REFUSED))), 'NOT_APPLICABLE', 'all bots');
});

t.test('what proves nothing leaves the question open', async (t) => {
  const cases: [name: string, answer: (who: string, time: number) => FixtureAnswer | string][] = [
    ['429', (who) => (who === 'PerplexityBot' ? { status: 429 } : PAGE)],
    ['500', (who) => (who === 'PerplexityBot' ? { status: 500 } : PAGE)],
    ['404', (who) => (who === 'PerplexityBot' ? { status: 404 } : PAGE)],
    ['a body cut off', (who) => (who === 'PerplexityBot' ? { body: PAGE, cut: true } : PAGE)],
    ['refused, then 500', (who, time) => (who === 'PerplexityBot' ? (time === 1 ? REFUSED : { status: 500 }) : PAGE)],
    ['refused, then stalled', (who, time) => (who === 'PerplexityBot' ? (time === 1 ? REFUSED : STALLED) : PAGE)],
    ['a control fails', (who) => (who === 'PerplexityBot' ? REFUSED : who === 'invented' ? { status: 500 } : PAGE)],
    [
      'whoever might vouch fails',
      (who) =>
        who === 'PerplexityBot'
          ? REFUSED
          : ['Googlebot', 'Perplexity-User'].includes(who)
            ? { status: who === 'Googlebot' ? 500 : 403 }
            : PAGE,
    ],
    [
      'our own name is refused by now',
      (who, time) => (who === 'PerplexityBot' || (who === 'own' && time > 1) ? REFUSED : PAGE),
    ],
  ];
  for (const [name, answer] of cases) t.equal(await outcomeOf(edge(answer)), 'UNDETERMINED', name);
});

t.test('agents that robots.txt bars are not tried', async (t) => {
  const robots = 'User-agent: PerplexityBot\nDisallow: /\n';
  const run = openFixtureRun(edge((who) => (who === 'PerplexityBot' ? REFUSED : PAGE), robots));
  await run.context.evidence('agentReplies');
  await run.close();
  t.notOk(run.requests.some(({ headers }) => headers['user-agent']?.includes('PerplexityBot')));
  t.match(
    await findingOf(
      cBot03,
      edge(() => PAGE, robots),
    ),
    { result: 'PASS', detail: /disallows them: PerplexityBot/ },
  );
  t.equal(await outcomeOf(edge(() => PAGE, 'User-agent: *\nDisallow: /')), 'NOT_APPLICABLE', 'all are barred');
});

t.test('the question is not asked of a site that is not verified, has no page, or no readable policy', async (t) => {
  t.equal(
    await outcomeOf(
      edge(() => PAGE),
      { isOwnershipVerified: false },
    ),
    'NOT_APPLICABLE',
  );
  t.equal(await outcomeOf(edge(() => ({ body: '{}', type: 'application/json' }))), 'NOT_APPLICABLE');
  t.equal(await outcomeOf({ routes: { '/': PAGE, '/robots.txt': { status: 500 } } }), 'NOT_APPLICABLE');
  t.equal(await outcomeOf({ routes: { '/': PAGE } }), 'PASS', 'no robots.txt admits everyone');
  t.equal(await outcomeOf(edge(() => REFUSED)), 'UNDETERMINED', 'no baseline');
});

t.test(
  'on a site that serves everyone, four requests are enough, each under a published name and our own',
  async (t) => {
    const run = openFixtureRun(edge(() => PAGE));
    await run.context.evidence('agentReplies');
    await run.close();
    const names = run.requests
      .map(({ headers }) => headers['user-agent'] ?? '')
      .filter((name) => !name.startsWith(OWN_NAME));
    t.equal(names.length, 4);
    t.ok(names.every((name) => name.endsWith(` ${OWN_NAME}`)));
    t.same(
      names.map((name) => TRIED_TOKENS.find((agent) => name.includes(agent))),
      [...TRIED_TOKENS],
    );
  },
);

t.test('a control keeps the string and has another name and address', async (t) => {
  const run = openFixtureRun(onlyFor('PerplexityBot', REFUSED));
  await run.context.evidence('agentReplies');
  await run.close();
  const names = run.requests.map(({ headers }) => headers['user-agent'] ?? '');
  t.ok(
    names.includes(
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Lumiquary/1.0; +https://lumiquary.example/about) AgentReadinessScan/1.0',
    ),
  );
  t.ok(
    names.includes('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) AgentReadinessScan/1.0'),
  );
  t.equal(names.filter((name) => name.includes('PerplexityBot')).length, 2);
});
