import { isLocalOrigin } from '../../net/address.js';
import type { Change } from '../../scanner/report/comparison.js';
import { describeForAgents, type SpecialReach } from '../../scanner/report/for-agents.js';
import { changesOf, listNotTried } from '../../scanner/report/trial.js';
import type { Trial } from '../../scanner/scan/recorded-scan.js';
import type { ScanComparison } from '../compare.js';
import { formatJson } from '../table.js';
import { isAtHead } from '../../scanner/verdict/note.js';
import { escapeMarkdown } from '../../scanner/report/markdown.js';
import { formatAsAnnotations } from './github.js';
import { nameOf, type Report, type View } from './document.js';
import type { ScanDocument, ScanFormat } from '../public-types.js';
import { formatAsHtml } from './html.js';
import { formatAsJunit } from './junit.js';
import { formatAsMarkdown } from './markdown.js';
import { formatAsText } from './text.js';

/** The values of `scan --format`. */
export const SCAN_FORMATS = {
  table: formatAsText,
  json: formatAsJson,
  markdown: formatAsMarkdown,
  agent: formatForAgents,
  junit: formatAsJunit,
  html: formatAsHtml,
  github: formatAsAnnotations,
} as const satisfies Record<ScanFormat, (report: Report, view?: Partial<View>) => string>;

function formatForAgents(report: Report): string {
  const { origin, document, trial } = report;
  const { site, run, findings, gains, notes } = document;
  const isNamed = site.judgedAs !== undefined || run.label !== undefined;
  const name = isNamed ? [`This is ${escapeMarkdown(nameOf(document))}.`] : [];
  const head = notes.filter(isAtHead).map(({ text }) => escapeMarkdown(text));
  const tried = trial ? [escapeMarkdown(trial.join(' '))] : [];
  return `${[...name, ...head, ...tried, describeForAgents({ origin, findings, gains, ...reachOf(report) })].join('\n\n')}\n`;
}

/** How to reach the site for a proof of fixes. A preview is proven once it is live, so it needs nothing. */
function reachOf({ origin, document: { site }, reach }: Report): { readonly reach?: SpecialReach } {
  const isLocal = reach?.isLocal === true || isLocalOrigin(new URL(origin));
  if (site.judgedAs !== undefined || (!isLocal && !reach?.hasFields)) return {};
  return { reach: { isLocal, hasFields: reach?.hasFields ?? false } };
}

/** Formats the report that `--save` writes and `--compare` reads. */
function formatAsJson({ document, comparison }: Report): string {
  return formatJson(comparison ? { ...document, comparison: idsOf(comparison) } : document);
}

/** Returns the lists with check ids only, for scripts. */
function idsOf({ earlier: _, hasOtherPages, ...lists }: ScanComparison): object {
  const idOf = (change: Change | string): string => (typeof change === 'string' ? change : change.checkId);
  const named = Object.entries(lists).map(([name, changes]) => [name, changes.map(idOf)]);
  return { ...(Object.fromEntries(named) as object), ...(hasOtherPages && { hasOtherPages }) };
}

/** Formats what the files of an overlay would change. */
export function formatTrial(before: ScanDocument, after: ScanDocument, assumed: Trial['assumed']): string {
  const changes = changesOf(before.findings, after.findings);
  const notTried = listNotTried(before.findings, after.findings);
  return formatJson({ before, after, changes, assumed, notTried });
}
