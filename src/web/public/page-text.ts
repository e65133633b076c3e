import { FREE_SCAN_CACHE_MS } from '../../app/free-scan/free-scan.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { PartDeps } from '../server/page-part.js';

export type Facts = Pick<
  PartDeps,
  'publicUrl' | 'contact' | 'isSignUpOpen' | 'checks' | 'document' | 'evidenceDays' | 'version'
>;

/** `1 hour`: how long the result of a free scan is kept. */
export const FREE_SCAN_KEPT = countOf(FREE_SCAN_CACHE_MS / 3_600_000, 'hour');

/** The words of a page, written once: HTML and Markdown are made of them. Links within the site begin with `/`. */
export interface PageText {
  readonly heading: string;
  readonly lead: string;
  /** Markdown, whose headings begin at the second level. */
  readonly body: string;
}

/** A page as Markdown, for those who ask for it: with whole addresses, since it may be read far from here. */
export function formatPage({ heading, lead, body }: PageText, publicUrl: string): string {
  return `# ${heading}\n\n> ${lead}\n\n${body.trim()}\n`.replaceAll('](/', `](${publicUrl}/`);
}

/** Formats a Markdown table. @param rows without `|` in their cells */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
