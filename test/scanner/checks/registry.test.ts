import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { headlineOf } from '../../../src/scanner/report/failures.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { ERROR_TYPES, type ErrorType } from '../../../src/scanner/verdict/vocabulary.js';
import { FROZEN_PRODUCERS } from '../../contract/frozen.js';

const checks: readonly Check[] = CHECKS;

t.test('every error type has its producers, and no check declares another', async (t) => {
  for (const errorType of Object.keys(ERROR_TYPES) as ErrorType[]) {
    const producers = checks.filter((check) => check.errorTypes.includes(errorType)).map(({ id }) => id);
    t.same(producers, FROZEN_PRODUCERS[errorType].split(' '), errorType);
  }
});

t.test('every check has a short name of its own and says why it matters', async (t) => {
  t.equal(new Set(checks.map(({ title }) => title)).size, checks.length);
  for (const { id, title, explanation } of checks) {
    t.ok(title.length <= 40, `${id} title`);
    const verbs = /\b(?:is|are|has|have|can|does|works?|fits?|follows?|lets?|lead|match|parses)\b/;
    t.notMatch(title, verbs, `${id}: fits every result`);
    t.ok(explanation.length >= 100, `${id} explanation`);
  }
});

t.test('every failure says what is wrong, in a headline of its own', async (t) => {
  const headlines = checks.flatMap(({ failures }) => Object.values(failures).map(({ headline }) => headline));
  t.equal(new Set(headlines).size, headlines.length);
  for (const headline of headlines) t.match(headline, /^[A-Za-z][^\n]{15,80}[^.]$/);
});

t.test('a failure is looked up by check and error type', async (t) => {
  const missing = { checkId: 'C-LLMS-01', errorType: 'MISSING', title: 'llms.txt file' } as const;
  t.equal(headlineOf(missing), 'There is no llms.txt');
  t.equal(headlineOf({ ...missing, errorType: null }), 'llms.txt file', 'no failure');
  t.equal(headlineOf({ ...missing, errorType: 'DEAD_LINK' }), 'llms.txt file', 'a kind that it has no more');
  const retired = { checkId: 'C-OLD-01', errorType: 'MISSING', title: null } as const;
  t.equal(headlineOf(retired), 'C-OLD-01', 'a check that is no more');
});

t.test('ids are unique, and only the forward-looking check has no pillar and no score', async (t) => {
  t.equal(new Set(checks.map(({ id }) => id)).size, checks.length);
  for (const { id, pillar, scored } of checks)
    t.same([pillar !== null, scored], Array(2).fill(!id.startsWith('C-FWD-')), id);
});
