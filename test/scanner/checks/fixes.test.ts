import t from 'tap';
import { TRIED_TOKENS } from '../../../src/scanner/artifacts/agents/tokens.js';
import { cBot03Failures } from '../../../src/scanner/checks/c-bot-03/failures.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { type ExampleAnswers, showAnswers } from '../../../src/scanner/verdict/example.js';
import { namedFailures } from '../../../src/scanner/verdict/failure.js';
import { SERVERS, splitFix, withoutServers } from '../../../src/scanner/verdict/fix-parts.js';
import type { ErrorType } from '../../../src/scanner/verdict/vocabulary.js';
import { exampleSite } from '../../support/example-site.js';
import { findingOf } from '../../support/collect.js';
import { scanFixture } from '../../support/golden.js';

const LINES_SHOWN_MAX = 30;
const NOW = new Date('2026-06-01T00:00:00Z');

/** Every failure of the registry, with its fix. */
const FAILURES = CHECKS.flatMap((check: Check) => namedFailures(check).map((failure) => ({ check, ...failure })));

for (const { check, errorType } of FAILURES) {
  t.test(
    `the example of ${check.id} ${errorType} fails with just that, and passes once its fix is followed`,
    async (t) => {
      const { failing, ways } = await exampleOf(check, errorType);
      const judged = async (answers: ExampleAnswers) => findingOf(check, exampleSite(answers), { now: NOW });
      const before = await judged(failing);
      t.match(before, { result: 'FAIL', errorType }, before.detail ?? '');
      for (const [way, answers] of ways) {
        const { result, detail } = await judged({ ...failing, ...answers });
        t.equal(result, 'PASS', `${way}: ${detail ?? ''}`);
        for (const { body } of showAnswers({ ...failing, ...answers }))
          t.ok((body ?? '').split('\n').length <= LINES_SHOWN_MAX, `${way}: short enough to be shown`);
      }
    },
  );
}

t.test('a fix after which other checks can be judged names what they need', async (t) => {
  const checks: readonly Check[] = CHECKS;
  for (const { check, errorType } of FAILURES) {
    const { failing, ways } = await exampleOf(check, errorType);
    const { asFixed = [], unknown = [], evidence = {} } = check.failures[errorType]?.onFixed ?? {};
    const named = [...asFixed, ...unknown, ...Object.keys(evidence)];
    const scanned = async (answers: ExampleAnswers): Promise<ReadonlyMap<string, string>> => {
      const { findings } = await scanFixture(exampleSite(answers));
      return new Map(findings.map(({ checkId, result }) => [checkId, result]));
    };
    const before = await scanned(failing);
    for (const [way, answers] of ways) {
      const after = await scanned({ ...failing, ...answers });
      const judged = checks.filter(({ id }) => !/PASS|FAIL/.test(before.get(id) ?? '') && after.get(id) === 'PASS');
      for (const { id, needs } of judged) {
        // It compares whatever robots.txt says: a fix that writes one for another reason gives it something to compare.
        if (id !== 'C-BOT-02')
          t.ok(
            needs.some((kind) => named.includes(kind)),
            `${check.id} ${errorType} ${way}: ${id}`,
          );
      }
    }
  }
});

/** An example with each way to fix it. */
async function exampleOf(check: Check, errorType: ErrorType) {
  const example = (await check.examples()).EXAMPLES[errorType];
  if (!example) throw new Error(`${check.id} ${errorType} has no example`);
  const { failing, passing, otherwise = {} } = example;
  return { failing, ways: Object.entries({ 'as shown first': passing, ...otherwise }) };
}

t.test("the names that the examples' servers refuse are those of the fix, and none that answers people", async (t) => {
  for (const { fix } of Object.values(cBot03Failures)) {
    const nginx = splitFix(fix).find(({ text }) => text.includes('map $http_user_agent'))?.text ?? '';
    const rules = [...nginx.matchAll(/"~\*(.+)" (\S+);/g)].map(([, names = '', value]) => ({
      names: new RegExp(names, 'i'),
      isRefused: value !== '0' && value !== '""',
    }));
    const isRefused = (name: string) => rules.find(({ names }) => names.test(name))?.isRefused ?? false;
    t.ok(isRefused('GPTBot/1.2'));
    t.same(TRIED_TOKENS.filter(isRefused), []);
  }
});

t.test('what is too long to be shown is told in one line', (t) => {
  const long = { before: '<a>\n', line: '<b/>', times: 50_000, after: '</a>' };
  t.match(showAnswers({ '/a.xml': { body: long }, '/b': { failure: 'stalled' }, '/c': { status: 403, body: 'no' } }), [
    { request: '/a.xml', answer: '200, application/xml, 50,000 lines like "<b/>"', body: null },
    { request: '/b', answer: 'no complete answer comes in time', body: null },
    { request: '/c', answer: '403, text/html; charset=utf-8', body: 'no' },
  ]);
  t.end();
});

t.test('the first paragraph of each fix says in itself what to do, in at most 200 characters', async (t) => {
  for (const { check, errorType, fix } of FAILURES) {
    const [first] = splitFix(fix);
    const name = `${check.id} ${errorType}`;
    t.equal(first?.kind, 'prose', name);
    t.match(first?.text, /^[A-Z].{20,198}\.$/, `${name}: ${first?.text.length}`);
  }
});

t.test('the fix of C-LLMS-01 says once, last, that pages announce the file', async (t) => {
  const [llms] = CHECKS.filter(({ id }) => id === 'C-LLMS-01');
  const general = withoutServers(llms?.failures.MISSING?.fix ?? '');
  t.equal(general.split('describedby').length, 2);
  t.match(general, /\n\n<link rel="describedby" href="\/llms.txt">$/);
});

t.test('the fix of C-MD-01 names the link before the header, since it needs no server that chooses', async (t) => {
  const [markdown] = CHECKS.filter(({ id }) => id === 'C-MD-01');
  t.match(markdown?.explanation, /convenience/);
  const fix = markdown?.failures.NO_NEGOTIATION?.fix ?? '';
  t.ok(fix.indexOf('link to it') < fix.indexOf('answer requests'), fix);
  t.ok(fix.indexOf('rel="alternate"') < fix.indexOf('curl '), fix);
});

t.test('each block for a server has something to say, and they come in one order', async (t) => {
  const names = Object.keys(SERVERS);
  for (const { check, errorType, fix } of FAILURES) {
    const parts = splitFix(fix);
    const order = parts.flatMap(({ kind, text }) => (kind === 'server' ? [names.indexOf(text)] : []));
    t.same(
      order,
      [...new Set(order)].sort((one, other) => one - other),
      `${check.id} ${errorType}`,
    );
    for (const [index, { kind }] of parts.entries())
      if (kind === 'server') t.match(parts[index + 1]?.kind, /^(?:prose|list|snippet)$/);
  }
});
