/** What a person reads: the page without its markup. */
export function wordsOf(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,:;)])/g, '');
}
