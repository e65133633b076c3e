import { type NamedFailure, SEVERITIES } from '../verdict/failure.js';
import { type FixPart, splitFix } from '../verdict/fix-parts.js';

/**
 * Escapes plain text for Markdown. A quoted asterisk and the media range of all types become code, since coding agents read the text
 * unrendered. Leaves `|`, which only tables must escape.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/"\*"|\*\/\*|[\\`*_<[\]&~]/g, (found) => (found.length > 1 ? `\`${found}\`` : `\\${found}`));
}

/** Returns a fenced block with a fence that does not occur in the text. */
export function formatSnippet(text: string, label = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${label === '' ? '' : `text ${label}`}\n${text}\n${fence}`;
}

/** Renders a fix as Markdown. Its paragraphs and lists are plain text, so they are escaped. */
export function formatFix(fix: string, escape: (text: string) => string = escapeMarkdown): string {
  return splitFix(fix)
    .map(({ kind, text }) => formatPart(kind, text, escape))
    .join('\n\n');
}

/** The name of a server is bold, since a heading would start a section of the surrounding document. */
function formatPart(kind: FixPart['kind'], text: string, escape: (text: string) => string): string {
  if (kind === 'snippet') return formatSnippet(text);
  return kind === 'server' ? `**${escape(text)}**` : escape(text);
}

/**
 * Renders what is wrong, how much it matters and the fix.
 * @param heading Markdown heading marks, such as `###`
 */
export function formatFailure({ errorType, severity, headline, fix }: NamedFailure, heading: string): string {
  const { word, meaning } = SEVERITIES[severity];
  return `${heading} ${escapeMarkdown(headline)}\n\n\`${errorType}\`. ${word}: ${meaning}\n\n${formatFix(fix)}`;
}
