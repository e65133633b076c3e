import { describeForAgents } from '../../scanner/report/for-agents.js';
import type { Look } from '../command.js';
import type { Report } from './document.js';
import type { ScanFormat } from './format-names.js';
import { formatAsJson } from './json.js';
import { formatAsJunit } from './junit.js';
import { formatAsMarkdown } from './markdown.js';
import { formatAsText } from './text.js';

/** The values of `scan --format`. */
export const SCAN_FORMATS = {
  table: formatAsText,
  json: formatAsJson,
  markdown: formatAsMarkdown,
  agent: ({ origin, document: { findings, gains } }) => `${describeForAgents({ origin, findings, gains })}\n`,
  junit: formatAsJunit,
} as const satisfies Record<ScanFormat, (report: Report, look?: Look) => string>;
