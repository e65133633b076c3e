import type { Check } from '../scanner/verdict/check.js';
import { namedFailures } from '../scanner/verdict/failure.js';
import { STANDARDS } from '../scanner/verdict/standards.js';
import type { DescribedCheck } from './public-types.js';

export function describeCheck(check: Check): DescribedCheck {
  const { id, revision, pillar, scored, title, explanation, errorTypes, judgedBy } = check;
  return {
    id,
    revision,
    pillar,
    scored,
    title,
    explanation,
    errorTypes,
    failures: namedFailures(check),
    judgedBy: judgedBy.map((standard) => STANDARDS[standard]),
  };
}
