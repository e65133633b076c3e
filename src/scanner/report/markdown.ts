import { type NamedFailure, SEVERITIES } from '../verdict/failure.js';
import { type FixPart, splitFix } from '../verdict/fix-parts.js';

/** Escapes plain text for Markdown. Keeps `|`, which only tables must escape. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_<[\]&~]/g, '\\$&');
}

/** A fenced block that is safe for any text. */
export function formatSnippet(text: string, label = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${label === '' ? '' : `text ${label}`}\n${text}\n${fence}`;
}

/**
 * The plain text of a fix as Markdown, with snippets in fenced blocks.
 * @param escape how sentences and lists become Markdown
 */
export function formatFix(fix: string, escape: (text: string) => string = escapeMarkdown): string {
  return splitFix(fix)
    .map(({ kind, text }) => formatPart(kind, text, escape))
    .join('\n\n');
}

/** The name of a server is a heading, but no section of the document around the fix. */
function formatPart(kind: FixPart['kind'], text: string, escape: (text: string) => string): string {
  if (kind === 'snippet') return formatSnippet(text);
  return kind === 'server' ? `**${escape(text)}**` : escape(text);
}

/**
 * What is said of one kind of failure: what is wrong, how much it matters and the fix.
 * @param heading the marks of a heading, such as `###`
 */
export function formatFailure({ errorType, severity, headline, fix }: NamedFailure, heading: string): string {
  const { word, meaning } = SEVERITIES[severity];
  return `${heading} ${escapeMarkdown(headline)}\n\n\`${errorType}\`. ${word}: ${meaning}\n\n${formatFix(fix)}`;
}
