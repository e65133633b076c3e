import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Check } from '../../../src/scanner/findings/check.js';
import { ERROR_TYPES, type ErrorType } from '../../../src/scanner/findings/vocabulary.js';
import { FROZEN_PRODUCERS } from '../../contract/frozen.js';

const checks: readonly Check[] = CHECKS;

t.test('every error type has its producers, and no check declares another', async (t) => {
  for (const errorType of Object.keys(ERROR_TYPES) as ErrorType[]) {
    const producers = checks.filter((check) => check.errorTypes.includes(errorType)).map(({ id }) => id);
    t.same(producers, FROZEN_PRODUCERS[errorType].split(' '), errorType);
  }
});

t.test('every check tells the owner of a site what it is, why it matters and what to do', async (t) => {
  for (const { id, title, explanation, fix, errorTypes } of checks) {
    t.ok(title.length >= 15 && title.length <= 80, `${id} title`);
    t.ok(explanation.length >= 100, `${id} explanation`);
    t.ok(fix.length >= 60, `${id} fix`);
    t.equal(new Set(errorTypes).size, errorTypes.length, `${id} names each error type once`);
  }
});

t.test('ids are unique, and only the forward-looking check has no pillar and no score', async (t) => {
  t.equal(new Set(checks.map(({ id }) => id)).size, checks.length);
  for (const { id, pillar, scored } of checks) t.equal(pillar !== null && scored, !id.startsWith('C-FWD-'), id);
});
