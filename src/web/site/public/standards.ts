import type { Check } from '../../../scanner/verdict/check.js';
import { shortNameOf } from '../../../scanner/report/pins.js';
import { STANDARDS, type StandardId } from '../../../scanner/verdict/standards.js';
import { checkHref } from '../../kit/components/result.js';
import { formatDay } from '../../kit/format.js';
import { PUBLIC_PAGES } from '../../kit/public-pages.js';
import type { Facts } from './facts.js';
import type { PageText } from './page-text.js';
import { groupByPillar } from './pillars.js';
import { formatTable } from './table-prose.js';

export function standardsText({ checks }: Facts): PageText {
  // Under the first check that each decides; those that decide none only advise.
  const pillars = groupByPillar(checks);
  const groups = Map.groupBy(Object.keys(STANDARDS) as StandardId[], (id) =>
    pillars.find((pillar) => pillar.checks.some(({ judgedBy }) => judgedBy.includes(id))),
  );
  const advising = groups.get(undefined) ?? [];
  return {
    heading: PUBLIC_PAGES.standards.title,
    lead: `Every verdict comes from a published text: ${Object.keys(STANDARDS).length - advising.length} of them, in the revisions named here.`,
    body: `
A check fails only where such a text is plain and the defect can be reproduced. Where texts disagree, or a standard is too young to be relied on, we say what we saw in a note alongside the findings: notes are advice, and never change the score.

${pillars
  .map((pillar) => {
    const rows = groups.get(pillar) ?? [];
    const table = formatTable(
      ['Standard', 'Revision', 'Checks'],
      rows.map((id) => [linkOf(id), formatRevision(id), listChecks(id, checks)]),
    );
    return `## ${pillar.name}\n\n${table}`;
  })
  .join('\n\n')}

## Advice only

${formatTable(
  ['Standard', 'Revision', 'Checks'],
  advising.map((id) => [linkOf(id), formatRevision(id), 'None']),
)}

## When one moves

Standards for agents move fast. When one does, the checks follow in a new version of this service, and the changes are listed with it. Runs that are stored keep the verdicts of their day.
`,
  };
}

/** What it is of, behind its name: it is never broken, and stands back. */
function linkOf(id: StandardId): string {
  const { name, url, revision } = STANDARDS[id];
  return id === 'agents' ? `[${name}](${url})` : `[${name}](${url}) *${revision}*`;
}

/** `10 Aug 2026`, or `Sep 2026` where it names no day; what was read on web pages says so. */
function formatRevision(id: StandardId): string {
  const { date } = STANDARDS[id];
  const words = formatDay(`${date}-01`, '').slice(date.length < 10 ? 2 : 0);
  return id === 'agents' ? `Read ${words}` : words;
}

/** An id stays next to its name. */
const NO_BREAK = '\u00a0';

function listChecks(id: StandardId, checks: readonly Check[]): string {
  const judged = checks.filter(({ judgedBy }) => judgedBy.includes(id));
  return judged
    .map(
      (check) => `[${shortNameOf(check.id).replace(' ', NO_BREAK)}](${checkHref(check.id)})${NO_BREAK}\`${check.id}\``,
    )
    .join(', ');
}
