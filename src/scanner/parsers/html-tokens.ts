import { decodeHTMLStrict } from 'entities';
import { Parser } from 'htmlparser2';
import { SaxesParser } from 'saxes';
import { PAGE_LIMITS } from '../limits.js';

export type Attributes = Readonly<Record<string, string>>;

/** Callbacks of an HTML reader. Names are in lower case. */
export interface HtmlTokenHandler {
  /** True if the rest of the page does not matter. */
  readonly isDone?: boolean;
  /** @param isForeign true for an element of SVG or MathML */
  onOpen(name: string, attributes: Attributes, isForeign: boolean): void;
  /** The end of an element that was opened. */
  onClose(name: string): void;
  /** Text with its character references decoded; the raw text of script and style is unchanged. */
  onText(text: string): void;
}

/** Only SVG and MathML have CDATA sections: in HTML, the mark begins a comment that ends at the next `>`, which the parser does not know. */
const HAS_SECTIONS = /<(?:svg|math)/i;
const CDATA = '<![CDATA[';
const HTML_CDATA = '<!?CDATA[';

/**
 * Reads HTML as a stream of tags and text.
 * @param isCut true if the page goes on: what is open at its end stays open
 * @returns false if the page is nested too deeply, or an element has too many attributes: the rest was not read
 */
export function readHtmlTokens(html: string, handler: HtmlTokenHandler, isCut = false): boolean {
  let depth = 0;
  let attributeCount = 0;
  let isForeign = false;
  let isWhole = true;
  const stopUnless = (isWithinLimit: boolean): void => {
    isWhole &&= isWithinLimit;
    if (!isWithinLimit || handler.isDone === true) parser.pause();
  };
  const parser = new Parser({
    onopentagname() {
      attributeCount = 0;
    },
    onattribute() {
      attributeCount += 1;
      stopUnless(attributeCount <= PAGE_LIMITS.attributesMax);
    },
    onopentag(name, attributes) {
      depth += 1;
      handler.onOpen(name.toLowerCase(), attributes, isForeign || name === 'svg' || name === 'math');
      // The parser's own answer is about what follows the tag: a title of SVG contains HTML.
      isForeign = parser.isInForeignContext();
      stopUnless(depth <= PAGE_LIMITS.depthMax);
    },
    onclosetag(name) {
      depth -= 1;
      handler.onClose(name.toLowerCase());
      isForeign = parser.isInForeignContext();
      stopUnless(true);
    },
    ontext(text) {
      handler.onText(text.replaceAll(HTML_CDATA, CDATA));
      stopUnless(true);
    },
  });
  // U+0000 would make the JSON of a script invalid (HTML standard §13.2.5.4, "script data state").
  const clean = html.replaceAll('\0', '\uFFFD');
  parser.write(HAS_SECTIONS.test(clean) ? clean : clean.replaceAll(CDATA, HTML_CDATA));
  if (!isCut) parser.end();
  return isWhole;
}

/** Matches namespace-prefixed `html` and `script`. */
const PREFIXED = /:(?:html|script)$/i;
const ENTITY_NAME = /^[A-Za-z][A-Za-z0-9]{0,31}$/;
/** HTML's entities, which browsers know in XHTML as well. An unknown one is text. */
const HTML_ENTITIES = new Proxy<Record<string, string>>(
  {},
  { get: (_, name) => (ENTITY_NAME.test(String(name)) ? decodeHTMLStrict(`&${String(name)};`) : undefined) },
);
const NOT_WELL_FORMED = new Error('not well-formed');

/**
 * Reads `application/xhtml+xml` as XML: every empty-element tag closes its element, and no element holds text alone.
 * @returns false if it is not well-formed, names HTML elements with a prefix, or is over a limit: readers then disagree on what the page holds
 */
export function readXhtmlTokens(xhtml: string, handler: HtmlTokenHandler): boolean {
  const parser = new SaxesParser();
  let depth = 0;
  let attributeCount = 0;
  let isInScript = false;
  const require = (holds: boolean): void => {
    if (!holds) throw NOT_WELL_FORMED;
  };
  parser.ENTITIES = HTML_ENTITIES;
  parser.on('error', () => require(false));
  parser.on('opentagstart', () => (attributeCount = 0));
  parser.on('attribute', () => {
    attributeCount += 1;
    require(attributeCount <= PAGE_LIMITS.attributesMax);
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    require(depth <= PAGE_LIMITS.depthMax && !PREFIXED.test(name));
    isInScript = name === 'script';
    handler.onOpen(name.toLowerCase(), attributes, false);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    isInScript = false;
    handler.onClose(name.toLowerCase());
  });
  parser.on('text', (text) => handler.onText(text));
  // Their marks matter to the reader of JSON-LD.
  parser.on('cdata', (text) => handler.onText(isInScript ? `${CDATA}${text}]]>` : text));
  parser.on('comment', (text) => {
    if (isInScript) handler.onText(`<!--${text}-->`);
  });
  try {
    parser.write(xhtml).close();
    return true;
  } catch (error) {
    if (error === NOT_WELL_FORMED) return false;
    throw error;
  }
}
