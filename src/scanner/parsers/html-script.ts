const MARK = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi;

/**
 * Where the text of a script element that begins at `start` ends: at its end tag, or at the end of the page. Between `<!--` and `-->`,
 * a script element inside the script is text, end tag included (HTML standard §13.2.5.15 to §13.2.5.31, the script data states).
 */
export function findScriptEnd(html: string, start: number): number {
  let state: 'plain' | 'escaped' | 'doubleEscaped' = 'plain';
  MARK.lastIndex = start;
  for (let mark = MARK.exec(html); mark; mark = MARK.exec(html)) {
    const [text] = mark;
    if (text === '-->') state = 'plain';
    else if (text === '<!--') {
      if (state === 'plain') state = 'escaped';
      // Its dashes may be those of the end: "<!-->".
      MARK.lastIndex = mark.index + '<!'.length;
    } else if (text.startsWith('</')) {
      if (state !== 'doubleEscaped') return mark.index;
      state = 'escaped';
    } else if (state === 'escaped') state = 'doubleEscaped';
  }
  return html.length;
}
