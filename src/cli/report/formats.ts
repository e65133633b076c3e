import { isLocalOrigin } from '../../net/local-endpoints.js';
import { describeForAgents, type SpecialReach } from '../../scanner/report/for-agents.js';
import { escapeMarkdown } from '../../scanner/report/markdown.js';
import { formatAsAnnotations } from './annotations.js';
import { nameOf, type Report } from './document.js';
import type { ScanFormat } from './format-names.js';
import { formatAsHtml } from './html.js';
import { formatAsJson } from './json.js';
import { formatAsJunit } from './junit.js';
import { formatAsMarkdown } from './markdown.js';
import { formatAsText } from './text.js';
import type { View } from './view.js';

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
  const { site, run, findings, gains } = document;
  const isNamed = site.judgedAs !== undefined || run.label !== undefined;
  const name = isNamed ? [`This is ${escapeMarkdown(nameOf(document))}.`] : [];
  const tried = trial ? [escapeMarkdown(trial.join(' '))] : [];
  return `${[...name, ...tried, describeForAgents({ origin, findings, gains, ...reachOf(report) })].join('\n\n')}\n`;
}

/** What goes live is the site itself, however its preview was reached. */
function reachOf({ origin, document: { site }, reach }: Report): { readonly reach?: SpecialReach } {
  const isLocal = reach?.isLocal === true || isLocalOrigin(new URL(origin));
  if (site.judgedAs !== undefined || (!isLocal && !reach?.hasFields)) return {};
  return { reach: { isLocal, hasFields: reach?.hasFields ?? false } };
}
