import type { Check } from '../../../scanner/verdict/check.js';
import { shortNameOf } from '../../../scanner/report/pins.js';
import { nameStandard, STANDARDS, type StandardId } from '../../../scanner/verdict/standards.js';
import { checkHref } from '../../kit/components/result.js';
import { PUBLIC_PAGES } from '../../kit/public-pages.js';
import type { Facts } from './facts.js';
import type { PageText } from './page-text.js';
import { formatTable } from './table-prose.js';

export function standardsText({ checks }: Facts): PageText {
  const ids = Object.keys(STANDARDS) as StandardId[];
  const isJudging = (id: StandardId) => checks.some(({ judgedBy }) => judgedBy.includes(id));
  const judging = ids.filter(isJudging);
  const noting = ids.filter((id) => !isJudging(id));
  return {
    heading: PUBLIC_PAGES.standards.title,
    lead: 'Every verdict is based on a published text, in the revision named here.',
    body: `
A check fails only where such a text is plain and the defect can be reproduced. Where texts disagree, or a standard is too young to be relied on, we say what we saw in a note alongside the findings: notes are advice, and never change the score.

## Standards that decide (${judging.length})

${formatTable(
  ['Standard', 'Revision', 'Checks'],
  judging.map((id) => [linkOf(id), STANDARDS[id].date, listChecks(id, checks)]),
)}

## Advice only (${noting.length})

${formatTable(
  ['Standard', 'Revision'],
  noting.map((id) => [linkOf(id), STANDARDS[id].date]),
)}

Standards for agents move fast. When one does, the checks follow in a new version of this service, and the changes are listed with it. Runs that are stored keep the verdicts of their day.
`,
  };
}

function linkOf(id: StandardId): string {
  return `[${nameStandard(id)}](${STANDARDS[id].url})`;
}

function listChecks(id: StandardId, checks: readonly Check[]): string {
  const judged = checks.filter(({ judgedBy }) => judgedBy.includes(id));
  return judged.map((check) => `[${shortNameOf(check.id)}](${checkHref(check.id)}) ${check.id}`).join(', ');
}
