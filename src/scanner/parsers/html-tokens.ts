import { Parser } from 'htmlparser2';
import { PAGE_LIMITS } from '../limits.js';

export type Attributes = Readonly<Record<string, string>>;

/** Callbacks of an HTML reader. Names are in lower case. */
export interface HtmlTokenHandler {
  /** True once the rest of the page does not matter. */
  readonly isDone?: boolean;
  /** @param isForeign true for an element of SVG or MathML */
  onOpen(name: string, attributes: Attributes, isForeign: boolean): void;
  onClose(name: string): void;
  /** Text with its character references decoded; the raw text of script and style is unchanged. */
  onText(text: string): void;
}

interface ReadOptions {
  /** True if the page was cut, so that elements still open at its end are not closed. */
  readonly isCut?: boolean;
  /** True if every empty-element tag (`<a/>`) closes its element. */
  readonly isXhtml?: boolean;
}

/** Only SVG and MathML have CDATA sections. Elsewhere, `<![CDATA[` starts a comment up to the next `>`, which the parser does not support. */
const FOREIGN_ELEMENT = /<(?:svg|math)/i;
const CDATA = '<![CDATA[';
const HTML_CDATA = '<!?CDATA[';

/**
 * Reads HTML, or well-formed XHTML, as a stream of tags and text.
 * @returns false if the page has too many tags and texts, is nested too deeply, or an element has too many attributes: the rest was not read
 */
export function readHtmlTokens(
  html: string,
  handler: HtmlTokenHandler,
  { isCut = false, isXhtml = false }: ReadOptions = {},
): boolean {
  let depth = 0;
  let tokenCount = 0;
  let attributeCount = 0;
  let isForeign = false;
  let isWhole = true;
  const stopUnless = (isWithinLimit: boolean): void => {
    isWhole &&= isWithinLimit;
    if (!isWithinLimit || handler.isDone === true) parser.pause();
  };
  const countToken = (): void => {
    tokenCount += 1;
    stopUnless(tokenCount <= PAGE_LIMITS.tokensMax);
  };
  const callbacks = {
    onopentagname() {
      attributeCount = 0;
    },
    onattribute() {
      attributeCount += 1;
      stopUnless(attributeCount <= PAGE_LIMITS.attributesMax);
    },
    onopentag(name: string, attributes: Attributes) {
      depth += 1;
      handler.onOpen(name.toLowerCase(), attributes, isForeign || name === 'svg' || name === 'math');
      // The parser's own flag is about the content: a title of SVG contains HTML.
      isForeign = parser.isInForeignContext();
      stopUnless(depth <= PAGE_LIMITS.depthMax);
      countToken();
    },
    onclosetag(name: string) {
      depth -= 1;
      handler.onClose(name.toLowerCase());
      isForeign = parser.isInForeignContext();
      stopUnless(true);
    },
    ontext(text: string) {
      handler.onText(text.replaceAll(HTML_CDATA, CDATA));
      countToken();
    },
  };
  const parser = new Parser(callbacks, { recognizeSelfClosing: isXhtml, recognizeCDATA: isXhtml });
  // U+0000 would make the JSON of a script invalid (HTML standard §13.2.5.4, "script data state").
  const clean = html.replaceAll('\0', '\uFFFD');
  parser.write(isXhtml || FOREIGN_ELEMENT.test(clean) ? clean : clean.replaceAll(CDATA, HTML_CDATA));
  if (!isCut) parser.end();
  return isWhole;
}
