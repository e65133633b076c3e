import type { CallToolResult } from '@modelcontextprotocol/client';
import { formatSkill } from '../../src/web/agents/documents.js';
import { perfect } from '../fixtures/sites/perfect.js';
import { onSqlite } from '../support/databases.js';
import { type FixtureRoute, type FixtureSite, resolveRoute } from '../support/fixture-site.js';
import { startMcp } from '../support/mcp.js';

/** Tokens, of about four characters each, that the agent sends and reads. */
const TOKENS_MAX = 12_000;

type Edit = readonly [path: string, from: string | RegExp, to: string];

/** Faults of the site, by the check that finds each. */
const FAULTS: Readonly<Record<string, Edit>> = {
  'C-LLMS-02': ['/llms.txt', '# Lantern Works', 'Lantern Works'],
  'C-LLMS-03': ['/llms.txt', '(/contact)', '(/gone)'],
  'C-SITE-01': ['/sitemap.xml', '</urlset>', ''],
  'C-BOT-01': ['/robots.txt', 'User-agent: GPTBot', 'User-agent: GPTBot\nUser-agent: OAI-SearchBot'],
  'C-SD-02': ['/lanterns', '"@type":"Product"', '"@type":"Produkt"'],
  'C-SD-03': ['/', /"name":"Lantern Works",/g, ''],
  'C-WK-01': ['/.well-known/mcp/server-card.json', '"version":"1.2.0",', ''],
  'C-WK-02': ['/.well-known/agent-card.json', '"skills"', '"abilities"'],
  'C-WK-03': ['/.well-known/api-catalog', '"linkset"', '"links"'],
  'C-FWD-01': ['/robots.txt', /^Content-Signal.*$/m, ''],
};

/** The site with these faults. */
function siteWith(faults: Iterable<string>): FixtureSite {
  const routes: Record<string, FixtureRoute> = { ...perfect.routes };
  for (const checkId of faults) {
    const [path, from, to] = FAULTS[checkId] ?? ['', '', ''];
    const before = routes[path];
    if (before === undefined) throw new Error(`${checkId}: no ${path}`);
    routes[path] = async (request) => {
      const { body = '', ...rest } = await resolveRoute(before, request);
      return { ...rest, body: String(body).replace(from, to) };
    };
  }
  return { ...perfect, routes };
}

interface Step {
  readonly checkId: string;
  readonly errorType: string;
  readonly isWhole: boolean;
}

interface Proof {
  readonly results: readonly { readonly checkId: string; readonly result: string; readonly detail: string }[];
}

onSqlite(async (t, engine) => {
  t.test('an agent that follows the skill fixes ten failures within the budget of an hour', async (t) => {
    const live = new Set(Object.keys(FAULTS));
    const mcp = await startMcp(t, await engine.openDb(t), { site: () => siteWith(live) });
    const client = await mcp.connect();
    const { tools } = await client.listTools();
    const url = perfect.origin ?? '';
    const calls: string[] = [];
    let tokens = 0;
    let refusals = 0;
    const call = async <Read>(name: string, args: Record<string, unknown>): Promise<Read> => {
      const result: CallToolResult = await client.callTool({ name, arguments: args });
      calls.push(name);
      tokens += (JSON.stringify(args).length + JSON.stringify(result).length) / 4;
      if (result.isError) refusals += 1;
      return result.structuredContent as Read;
    };

    const skill = formatSkill(mcp.url.replace('/mcp', ''));
    const named = [...skill.matchAll(/`(\w+_\w+)`/g)].map(([, name]) => name);
    t.strictSame([...new Set(named)], ['fix_plan', 'explain_check', 'verify_fix', 'try_fix'], 'the tools of the skill');
    const argumentsOf = (tool: string): string[] =>
      Object.keys(tools.find(({ name }) => name === tool)?.inputSchema.properties ?? {});
    t.match(skill, "Call `fix_plan` with the site's url");
    t.match(skill, "`explain_check` with the step's checkId and errorType");
    t.strictSame(argumentsOf('explain_check'), ['checkId', 'errorType']);
    t.match(skill, 'call `verify_fix` once, with the url and the checkIds of all of them');
    t.strictSame(argumentsOf('verify_fix').slice(0, 2), ['url', 'checkIds']);

    // Step 1.
    const { steps } = await call<{ steps: Step[] }>('fix_plan', { url });
    t.strictSame(steps.map(({ checkId }) => checkId).toSorted(), [...live].toSorted(), 'ten failures');
    // Step 2. The agent gets every fourth fix wrong at first.
    for (const { checkId, errorType, isWhole } of steps) {
      if (!isWhole) await call('explain_check', { checkId, errorType });
    }
    const wrong = steps.filter((_, index) => index % 4 === 0).map(({ checkId }) => checkId);
    live.clear();
    for (const checkId of wrong) live.add(checkId);
    // Step 3, until nothing fails.
    let open = steps.map(({ checkId }) => checkId);
    for (let deployments = 1; open.length > 0; deployments += 1) {
      const { results } = await call<Proof>('verify_fix', { url, checkIds: open });
      t.strictSame(results.map(({ checkId }) => checkId).toSorted(), open.toSorted());
      open = results.filter(({ result }) => result !== 'PASS').map(({ checkId }) => checkId);
      t.strictSame(open.toSorted(), deployments === 1 ? wrong.toSorted() : []);
      live.clear();
    }

    t.equal(refusals, 0);
    t.equal(calls.filter((name) => name === 'verify_fix').length, 2);
    t.equal(mcp.scanned.length, 3, 'scans: of the plan, and of both proofs');
    t.ok(tokens <= TOKENS_MAX, `${calls.length} calls, ${Math.ceil(tokens)} tokens`);
    t.comment(`${calls.length} calls, ${Math.ceil(tokens)} tokens, ${refusals} refusals`);
  });
});
