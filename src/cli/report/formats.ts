import type { Change } from '../../scanner/report/comparison.js';
import { describeForAgents } from '../../scanner/report/describe-report.js';
import { escapeMarkdown } from '../../scanner/report/markdown.js';
import { listTrialChanges } from '../../scanner/report/trial.js';
import type { ScanComparison } from '../compare.js';
import type { ScanFormat } from '../public-types.js';
import { formatJson } from '../table.js';
import { nameScan, type Report, splitNotes, type View } from './document.js';
import { formatAsAnnotations } from './github.js';
import { formatAsHtml } from './html.js';
import { formatAsJunit } from './junit.js';
import { formatAsMarkdown } from './markdown.js';
import { formatAsText } from './text.js';

export const SCAN_FORMATS = {
  table: formatAsText,
  json: formatAsJson,
  markdown: formatAsMarkdown,
  agent: formatForAgents,
  junit: formatAsJunit,
  html: formatAsHtml,
  github: formatAsAnnotations,
} as const satisfies Record<ScanFormat, (report: Report, view?: Partial<View>) => string>;

function formatForAgents({ origin, document, trial, isLocal, hasFields }: Report): string {
  const { site, run, findings, gains } = document;
  const hasLabel = site.judgedAs !== undefined || run.label !== undefined;
  const head = [
    ...(hasLabel ? [`This is ${nameScan(document)}.`] : []),
    ...splitNotes(document).heads.map(({ text }) => text),
    ...(trial ? [trial.note] : []),
  ].map(escapeMarkdown);
  // With `--as`, only a scan of the live site can prove a fix.
  const isProvenLocally = site.judgedAs === undefined && isLocal;
  return `${[...head, describeForAgents({ origin, findings, gains }, { isLocal: isProvenLocally, hasFields })].join('\n\n')}\n`;
}

/** Formats the report that `--save` writes and `--compare` reads. */
function formatAsJson({ document, comparison, trial }: Report): string {
  if (trial) {
    const { before, note } = trial;
    return formatJson({ before, after: document, changes: listTrialChanges(before.findings, document.findings), note });
  }
  return formatJson(comparison ? { ...document, comparison: toIds(comparison) } : document);
}

function toIds({ earlier: _, hasOtherPages, ...lists }: ScanComparison): object {
  const idOf = (change: Change | string): string => (typeof change === 'string' ? change : change.checkId);
  const idsByList = Object.entries(lists).map(([name, changes]) => [name, changes.map(idOf)]);
  return { ...(Object.fromEntries(idsByList) as object), ...(hasOtherPages && { hasOtherPages }) };
}
