import t from 'tap';
import { CHECKS } from '../../src/checks/index.js';
import type { Check } from '../../src/domain/check.js';
import { ERROR_TYPES, type ErrorType } from '../../src/domain/vocabulary.js';

/** Which checks can fail in which way: the promise that the description document makes, written out once more by hand. */
const PRODUCERS: Readonly<Record<ErrorType, string>> = {
  BLOCKED: 'C-LLMS-01 C-SITE-01 C-BOT-01',
  BROKEN_SAMEAS: 'C-SD-04',
  DEAD_LINK: 'C-LLMS-03 C-SITE-02',
  ENTITY_INCOMPLETE: 'C-SD-03',
  FORMAT: 'C-LLMS-02 C-SITE-01 C-SD-01 C-FWD-01',
  INVALID_MANIFEST: 'C-WK-01 C-WK-02 C-WK-03',
  MISSING: 'C-LLMS-01 C-SITE-01 C-WK-01 C-WK-02 C-WK-03 C-FWD-01',
  NO_JSONLD: 'C-SD-01',
  NO_NEGOTIATION: 'C-MD-01',
  OVERSIZE: 'C-LLMS-04 C-SITE-02 C-BOT-01',
  POLICY_INCONSISTENT: 'C-BOT-02',
  SCHEMA_MISMATCH: 'C-SD-02',
  STRUCTURE: 'C-LLMS-02 C-SITE-02',
  TIMEOUT: 'C-LLMS-01 C-SITE-01 C-BOT-01 C-BOT-03',
  UA_REJECTED: 'C-BOT-03',
  UNREACHABLE: 'C-LLMS-01 C-SITE-01 C-BOT-01',
  WK_UNREACHABLE: 'C-WK-01 C-WK-02 C-WK-03',
  WRONG_MIME: 'C-LLMS-01 C-SITE-01 C-BOT-01 C-MD-01',
};

const checks: readonly Check[] = CHECKS;

t.test('every error type has its producers, and no check declares another', async (t) => {
  for (const errorType of Object.keys(ERROR_TYPES) as ErrorType[]) {
    const producers = checks.filter((check) => check.errorTypes.includes(errorType)).map(({ id }) => id);
    t.same(producers, PRODUCERS[errorType].split(' '), errorType);
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
