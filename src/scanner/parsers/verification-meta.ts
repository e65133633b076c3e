import { PAGE_LIMITS } from '../limits.js';
import { type Attributes, type HtmlTokenHandler, readHtmlTokens } from './html-tokens.js';

/** Elements allowed in a head; any other ends it (HTML standard, section 13.2.6.4.4, "in head"). */
const HEAD_ELEMENTS = new Set(
  'html head title meta link base basefont bgsound script style noscript noframes template'.split(' '),
);
/** Elements whose own text does not end the head. */
const TEXT_ELEMENTS = new Set(['title', 'script', 'style', 'noscript', 'noframes', 'template']);
/** Only ASCII white space may separate the elements of a head (HTML standard, section 13.2.6.4.4): a no-break space ends it. */
const NO_SPACE = /[^\t\n\f\r ]/;

/**
 * The contents of `<meta name="…">` in the head of a page. Only the head counts: a visitor of the site may have written the body,
 * so it proves nothing about the owner.
 * @param name in lower case
 */
export function readHeadMetas(html: string, name: string): string[] {
  const reader = new HeadReader(name);
  readHtmlTokens(html.replace(/^\uFEFF/, '').slice(0, PAGE_LIMITS.headCharsMax), reader, true);
  return reader.contents;
}

class HeadReader implements HtmlTokenHandler {
  readonly contents: string[] = [];
  #isHead = true;
  #textDepth = 0;
  #templateDepth = 0;

  constructor(private readonly name: string) {}

  get isDone(): boolean {
    return !this.#isHead;
  }

  onOpen(name: string, attributes: Attributes): void {
    if (!HEAD_ELEMENTS.has(name)) this.#isHead = false;
    if (!this.#isHead) return;
    if (TEXT_ELEMENTS.has(name)) this.#textDepth += 1;
    if (name === 'template') this.#templateDepth += 1;
    const isAsked = name === 'meta' && attributes.name?.trim().toLowerCase() === this.name;
    if (isAsked && this.#templateDepth === 0) {
      this.contents.push(attributes.content ?? '');
    }
  }

  onClose(name: string): void {
    if (name === 'head') this.#isHead = false;
    if (TEXT_ELEMENTS.has(name)) this.#textDepth -= 1;
    if (name === 'template') this.#templateDepth -= 1;
  }

  onText(text: string): void {
    if (this.#textDepth <= 0 && NO_SPACE.test(text)) this.#isHead = false;
  }
}
