import type { Check } from '../../src/scanner/verdict/check.js';
import { namedFailures } from '../../src/scanner/verdict/failure.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';

/** Texts of a check that is not in the registry. */
export const CHECK_TEXTS = {
  id: 'C-TEST-01',
  revision: 1,
  pillar: 'A',
  title: 'a title',
  shortName: 'Test',
  answer: 'It passes.',
  explanation: 'an explanation',
  judgedBy: [],
} as const;

/** A finding with these fields, the rest filled in: enough where a test speaks of results only. */
export function finding(fields: Partial<Finding> & Pick<Finding, 'checkId' | 'result'>): Finding {
  return {
    pillar: 'A',
    scored: true,
    errorType: fields.result === 'FAIL' ? 'MISSING' : null,
    detail: fields.result === 'FAIL' ? 'It answers 404.' : null,
    title: `title of ${fields.checkId}`,
    explanation: `explanation of ${fields.checkId}`,
    fix: `fix of ${fields.checkId}`,
    ...fields,
  };
}

/** A finding of a check of the registry, with its texts: where it fails, the kind and fix of its first failure. */
export function findingFrom(check: Check, fields: Partial<Finding> & Pick<Finding, 'result'>): Finding {
  const { id: checkId, pillar, scored, title, explanation } = check;
  const failure = fields.result === 'FAIL' ? namedFailures(check)[0] : undefined;
  const { errorType = null, fix = null } = failure ?? {};
  return finding({ ...{ checkId, pillar, scored, errorType, title, explanation, fix }, ...fields });
}
