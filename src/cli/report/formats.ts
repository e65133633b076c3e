import { describeForAgents } from '../../scanner/report/for-agents.js';
import { formatAsAnnotations } from './annotations.js';
import type { Report } from './document.js';
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
  agent: ({ origin, document: { findings, gains } }) => `${describeForAgents({ origin, findings, gains })}\n`,
  junit: formatAsJunit,
  html: formatAsHtml,
  github: formatAsAnnotations,
} as const satisfies Record<ScanFormat, (report: Report, view?: Partial<View>) => string>;
