import { splitFix } from './fix-parts.js';

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
    .map(({ kind, text }) => (kind === 'snippet' ? formatSnippet(text) : escape(text)))
    .join('\n\n');
}
