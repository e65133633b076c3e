/** A line of a message: words, one thing of a list, where to look, or the pins of a run. An empty one sets paragraphs apart. */
export type ToldLine =
  | string
  | { readonly item: string; readonly url?: string }
  | { readonly link: string; readonly url: string }
  | { readonly pins: string };

/** What a message says to people, before it has the form of a mail or of a chat. */
export interface Told {
  readonly subject: string;
  readonly lines: readonly ToldLine[];
  /** For the colour that a chat gives it; left out: neither. */
  readonly tone?: 'worse' | 'better';
}

/** The lines without their ends, by paragraph. */
export function paragraphsOf({ lines }: Pick<Told, 'lines'>): readonly (readonly ToldLine[])[] {
  const paragraphs: ToldLine[][] = [[]];
  for (const line of lines) {
    if (line === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs.filter(({ length }) => length > 0);
}

/** As many of the texts as fit, in order, joined by line breaks; what is left out is counted. @param charsMax for the whole */
export function fitLines(texts: readonly string[], charsMax: number): string {
  const whole = texts.join('\n');
  if (whole.length <= charsMax) return whole;
  for (let kept = texts.length - 1; kept > 0; kept -= 1) {
    const cut = [...texts.slice(0, kept), `and ${texts.length - kept} more`].join('\n');
    if (cut.length <= charsMax) return cut;
  }
  return `${(texts[0] ?? '').slice(0, charsMax - 1)}…`;
}

/**
 * A subject as a title of so many characters once it is escaped. It begins with the name of a host, whose end says whose it is: what is too long is
 * cut at its beginning.
 */
export function fitTitle(subject: string, charsMax: number, escape: (text: string) => string): string {
  for (let cut = 0; ; cut += 1) {
    const title = escape(cut === 0 ? subject : `…${subject.slice(cut + 1)}`);
    if (title.length <= charsMax) return title;
  }
}
