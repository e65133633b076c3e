import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Check } from '../../../src/scanner/findings/check.js';
import { namedFailures } from '../../../src/scanner/findings/failure.js';
import { SERVERS, splitFix, withoutServers } from '../../../src/scanner/findings/fix-parts.js';
import type { ErrorType } from '../../../src/scanner/findings/vocabulary.js';
import { findingOf } from '../../support/collect.js';
import { scanFixture } from '../../support/golden.js';
import { home, PAGE, type Proof, type Proofs, readFix, type Routes } from './proofs/proof.js';

const NOW = new Date('2026-06-01T00:00:00Z');

/** Every failure of the registry, with its fix. */
const FAILURES = CHECKS.flatMap((check) => namedFailures(check).map((failure) => ({ check, ...failure })));

for (const { check, errorType } of FAILURES) {
  t.test(`a site that does what the fix of ${check.id} ${errorType} says passes`, async (t) => {
    const proof = await proofOf(check.id, errorType);
    const judged = async (routes: Routes) =>
      findingOf(check, { routes: { '/': home(''), '/start': PAGE, ...proof.failing, ...routes } }, { now: NOW });
    const before = await judged({});
    t.match(before, { result: 'FAIL', errorType }, before.detail ?? '');
    for (const [way, routes] of waysOf(proof.mended(readFix(check.id, errorType)))) {
      const { result, detail } = await judged(routes);
      t.equal(result, 'PASS', `${way}: ${detail ?? ''}`);
    }
  });
}

t.test('a fix after which other checks can be judged names what they need', async (t) => {
  const checks: readonly Check[] = CHECKS;
  for (const { check, errorType } of FAILURES) {
    const { failing, mended } = await proofOf(check.id, errorType);
    const { asFixed = [], unknown = [], evidence = {} } = (check as Check).failures[errorType]?.onFixed ?? {};
    const named = [...asFixed, ...unknown, ...Object.keys(evidence)];
    const scanned = async (routes: Routes): Promise<ReadonlyMap<string, string>> => {
      const { findings } = await scanFixture({ routes: { '/': home(''), '/start': PAGE, ...failing, ...routes } });
      return new Map(findings.map(({ checkId, result }) => [checkId, result]));
    };
    const before = await scanned({});
    for (const [way, routes] of waysOf(mended(readFix(check.id, errorType)))) {
      const after = await scanned(routes);
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

/** Each check has a file of proofs, which is named like it. */
async function proofOf(checkId: string, errorType: ErrorType): Promise<Proof> {
  const { PROOFS } = (await import(`./proofs/${checkId.toLowerCase()}.js`)) as { readonly PROOFS: Proofs };
  const proof = PROOFS[errorType];
  if (!proof) throw new Error(`the fix of ${checkId} ${errorType} is not proven`);
  return proof;
}

/** Routes begin with a slash; the names of ways do not. */
function waysOf(mended: ReturnType<Proof['mended']>): [way: string, routes: Routes][] {
  const isRoutes = Object.keys(mended).some((key) => key.startsWith('/'));
  return isRoutes ? [['', mended]] : (Object.entries(mended) as [string, Routes][]);
}

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
