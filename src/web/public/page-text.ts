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

/** Plain text as Markdown that says the same. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_<[\]]/g, '\\$&');
}

/** A fenced block, whatever its text holds. */
export function formatSnippet(text: string, label = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${label === '' ? '' : `text ${label}`}\n${text}\n${fence}`;
}
