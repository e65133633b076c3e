import type { Finding } from '../../src/scanner/findings/finding.js';

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
