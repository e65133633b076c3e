import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { toFreeScan } from '../../src/app/free-scan/free-scan-store.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { namedFailures } from '../../src/scanner/verdict/failure.js';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { scanReport } from '../support/accounts.js';
import { onSqlite } from '../support/databases.js';
import { findingFrom } from '../support/reports.js';
import { FIXTURE_ORIGIN } from '../support/fixture-site.js';
import { startMcp, textOf } from '../support/mcp.js';

/** Tokens, of about four characters each. */
const PLAN_MAX = 2000;
const EXPLANATION_MAX = 1500;

/** Shorter texts, such as names, may occur twice. */
const SAID_CHARS_MIN = 60;

interface Failing {
  readonly checkId: string;
  readonly fix: string;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  const result = await client.callTool({ name, arguments: { ...args, added_by_platform: 'x'.repeat(50) } });
  if (result.isError) throw new Error(JSON.stringify(result));
  return result;
}

/** Returns the tokens of the longer form: a client shows its model either the text or the structured content. */
function tokensOf({ content, structuredContent }: CallToolResult): number {
  return Math.max(...[content, structuredContent].map((form) => JSON.stringify(form).length / 4));
}

/** Fields that may repeat others: the reason for no score is the text itself, and an example repeats a fix. */
const EXCEPT = new Set(['noScore', 'answer', 'body']);

/** Returns the texts that occur more than once in the structured content. */
function saidTwice(result: CallToolResult): string[] {
  const texts: string[] = [];
  JSON.stringify(result.structuredContent, (key, value: unknown) => {
    if (!EXCEPT.has(key) && typeof value === 'string' && value.length >= SAID_CHARS_MIN) texts.push(value);
    return value;
  });
  const whole = JSON.stringify(result.structuredContent);
  return texts.filter((text) => whole.split(JSON.stringify(text).slice(1, -1)).length > 2);
}

onSqlite(async (t, engine) => {
  t.test('plans and proofs stay within their size for every site and say each thing once', async (t) => {
    for (const { name, site } of FIXTURE_SITES) {
      const mcp = await startMcp(t, await engine.openDb(t), { site: () => site });
      const client = await mcp.connect();
      const url = site.origin ?? FIXTURE_ORIGIN;
      const plan = await call(client, 'fix_plan', { url });
      t.ok(tokensOf(plan) <= PLAN_MAX, `${name}: ${tokensOf(plan)}`);
      t.strictSame(saidTwice(plan), [], name);
      const { steps } = plan.structuredContent as { steps: Failing[] };
      for (const { checkId, fix } of steps) t.ok(fix.length > 30, `${name} ${checkId}: ${fix}`);
      for (const { fix } of steps) t.ok(textOf(plan).includes(fix), name);
      if (steps.length === 0) continue;
      const proof = await call(client, 'verify_fix', { url, checkIds: CHECKS.map(({ id }) => id) });
      t.ok(tokensOf(proof) <= PLAN_MAX, `${name}: ${tokensOf(proof)}`);
    }
  });

  t.test('a plan stays within its size when every check fails in its longest way', async (t) => {
    const findings = CHECKS.map((check) => {
      const [longest] = namedFailures(check).toSorted((one, other) => other.fix.length - one.fix.length);
      if (!longest) throw new Error(`${check.id} cannot fail`);
      const { errorType, fix } = longest;
      return findingFrom(check, { result: 'FAIL', errorType, fix, detail: 'The home page answers 404.' });
    });
    const site = { hostname: 'a.example', origin: new URL('https://a.example') };
    const scan = toFreeScan(site, { ...scanReport(0), findings });
    const start = async () => ({ hostname: 'a.example', isFresh: true, done: Promise.resolve(scan) });
    const mcp = await startMcp(t, await engine.openDb(t), { freeScans: { start } });
    const plan = await call(await mcp.connect(), 'fix_plan', { url: 'a.example' });
    t.ok(tokensOf(plan) <= PLAN_MAX, String(tokensOf(plan)));
    t.strictSame(saidTwice(plan), []);
  });

  t.test('an explanation stays within its size and has the whole fix of one error type', async (t) => {
    const client = await (await startMcp(t, await engine.openDb(t))).connect();
    for (const check of CHECKS) {
      const { id: checkId } = check;
      const all = await call(client, 'explain_check', { checkId });
      t.ok(tokensOf(all) <= EXPLANATION_MAX, `${checkId}: ${tokensOf(all)}`);
      for (const { errorType, fix } of namedFailures(check)) {
        const one = await call(client, 'explain_check', { checkId, errorType });
        t.ok(tokensOf(one) <= EXPLANATION_MAX, `${checkId} ${errorType}: ${tokensOf(one)}`);
        t.strictSame(saidTwice(one), [], `${checkId} ${errorType}`);
        t.match(one.structuredContent, { errorTypes: [{ errorType, fix }] });
        t.ok(textOf(one).includes(fix), `${checkId} ${errorType}`);
      }
    }
  });
});
