import type { TokenizerCallbacks } from 'htmlparser2';
import { Tokenizer } from 'htmlparser2';
import { EventLoopYielder } from '../../net/event-loop.js';
import { ForeignContent } from './html-foreign.js';
import { findScriptEnd } from './html-script.js';

/** Callbacks of an HTML reader. Names are in lower case. */
export interface HtmlTokenHandler {
  /** @param isForeign whether it is an element of SVG or MathML */
  onOpen(name: string, attributes: ReadonlyMap<string, string>, isForeign: boolean): void;
  /** An end tag, or the end of an element of SVG or MathML that has none. */
  onClose(name: string): void;
  /** Text with its character references decoded; the raw text of script and style as it is. */
  onText(text: string): void;
}

/** No honest page has an element with more attributes than this, or longer names and values. */
const ATTRIBUTES_MAX = 200;
const ATTRIBUTE_CHARS_MAX = 8_192;
/** Read per step: one or two milliseconds for the most expensive tokens. */
const CHUNK_CHARS = 8_192;

/**
 * Reads HTML as a flat stream of tags and text, in time linear in its length, and yields to other work every few milliseconds. It
 * keeps no stack of open HTML elements, so neither deep nesting nor unclosed elements cost anything: htmlparser2's own `Parser`
 * searches such a stack at every end tag.
 */
export async function readHtmlTokens(html: string, handler: HtmlTokenHandler): Promise<void> {
  const reader = new TokenReader(html, handler);
  const yielder = new EventLoopYielder();
  while (reader.readChunk()) if (yielder.isDue) await yielder.yieldNow();
}

/** Like {@link readHtmlTokens}, but synchronous and until the handler has enough: for the head of a page. */
export function readFirstHtmlTokens(html: string, handler: HtmlTokenHandler & { readonly isDone: boolean }): void {
  const reader = new TokenReader(html, handler);
  while (!handler.isDone && reader.readChunk());
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

const ignore = (): void => undefined;

/** Elements whose content is text alone, in which U+0000 becomes U+FFFD; in other text of HTML it is dropped (HTML standard §13.2.6.4.7). */
const TEXT_ONLY = new Set(['title', 'textarea', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext']);

const CDATA = '<![CDATA[';
/** As long as {@link CDATA}, and a comment until the next `>`, as CDATA is in HTML. */
const HTML_CDATA = '<!?CDATA[';

/**
 * htmlparser2's tokenizer, and what it leaves to a tree builder: which tags are SVG or MathML, where CDATA is a comment, and where a
 * script ends. Where its state would be wrong, it is stopped, and started again at the right place.
 */
class TokenReader implements TokenizerCallbacks {
  readonly #tokenizer = new Tokenizer({}, this);
  readonly #foreign: ForeignContent;
  /** The page as the tokenizer is given it where CDATA is a comment: of the same length. */
  readonly #withoutCdata: string;
  readonly #hasCdata: boolean;
  readonly #hasNul: boolean;
  /** How far the page was given to the tokenizer, and where it began to count. */
  #at = 0;
  #base = 0;
  /** Where it must be started again; null if it need not. */
  #restart: number | null = null;
  #readsCdata = false;
  #name = '';
  /** Of the tag that is read; null until it has one. */
  #attributes: Map<string, string> | null = null;
  #attributeName = '';
  #attributeValue = '';
  /** Text that was read but not yet reported: the tokenizer splits it at every `<` that opens nothing. */
  #textStart = 0;
  #textEnd = 0;

  constructor(
    private readonly html: string,
    private readonly handler: HtmlTokenHandler,
  ) {
    this.#foreign = new ForeignContent((name) => {
      handler.onClose(name);
    });
    this.#hasCdata = html.includes(CDATA);
    this.#withoutCdata = this.#hasCdata ? html.replaceAll(CDATA, HTML_CDATA) : html;
    this.#hasNul = html.includes('\0');
  }

  /** Reads the next chunk; false at the end. */
  readChunk(): boolean {
    const end = Math.min(this.#at + CHUNK_CHARS, this.html.length);
    this.#tokenizer.write((this.#readsCdata ? this.html : this.#withoutCdata).slice(this.#at, end));
    if (this.#restart === null && end === this.html.length) this.#tokenizer.end();
    this.#tellText();
    this.#at = this.#restart ?? end;
    if (this.#restart !== null) {
      this.#tokenizer.reset();
      this.#base = this.#restart;
      this.#restart = null;
    }
    return this.#at < this.html.length;
  }

  isInForeignContext(): boolean {
    return this.#foreign.isForeign;
  }

  onopentagname(start: number, endIndex: number): void {
    this.#tellText();
    this.#name = this.#slice(start, endIndex).toLowerCase();
    this.#attributes = null;
  }

  onattribname(start: number, endIndex: number): void {
    this.#attributeName = this.#slice(start, Math.min(endIndex, start + ATTRIBUTE_CHARS_MAX)).toLowerCase();
    this.#attributeValue = '';
  }

  onattribdata(start: number, endIndex: number): void {
    const charsLeft = ATTRIBUTE_CHARS_MAX - this.#attributeValue.length;
    if (charsLeft > 0) this.#attributeValue += this.#slice(start, Math.min(endIndex, start + charsLeft));
  }

  onattribentity(codePoint: number): void {
    if (this.#attributeValue.length < ATTRIBUTE_CHARS_MAX) this.#attributeValue += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    this.#attributes ??= new Map();
    // The first of two attributes with the same name counts (HTML standard, "attribute name state").
    if (this.#attributes.size < ATTRIBUTES_MAX && !this.#attributes.has(this.#attributeName)) {
      this.#attributes.set(this.#attributeName, this.#attributeValue);
    }
  }

  onopentagend(endIndex: number): void {
    this.#open(endIndex, false);
  }

  onselfclosingtag(endIndex: number): void {
    // The tokenizer allows white space between "/" and ">", where the tag does not close itself (§13.2.5.40, "self-closing start tag state").
    this.#open(endIndex, this.html[this.#base + endIndex - 1] === '/');
  }

  onclosetag(start: number, endIndex: number): void {
    this.#tellText();
    const name = this.#slice(start, endIndex).toLowerCase();
    this.#name = '';
    if (!this.#foreign.close(name)) this.handler.onClose(name);
    if (this.#isCdataOther) this.#restartAt(this.html.indexOf('>', this.#base + endIndex) + 1 || this.html.length);
  }

  ontext(start: number, endIndex: number): void {
    if (this.#base + start !== this.#textEnd) {
      this.#tellText();
      this.#textStart = this.#base + start;
    }
    this.#textEnd = this.#base + endIndex;
  }

  ontextentity(codePoint: number): void {
    this.#tellText();
    this.handler.onText(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, endIndex: number, endOffset: number): void {
    this.#tellText();
    this.handler.onText(this.#slice(start, endIndex - endOffset));
  }

  readonly oncomment = ignore;
  readonly ondeclaration = ignore;
  readonly onprocessinginstruction = ignore;
  readonly onend = ignore;

  #open(endIndex: number, isSelfClosing: boolean): void {
    const attributes = this.#attributes ?? NO_ATTRIBUTES;
    const isForeign = this.#foreign.open(this.#name, attributes, isSelfClosing);
    this.handler.onOpen(this.#name, attributes, isForeign);
    if (isForeign && isSelfClosing) this.handler.onClose(this.#name);
    const contentStart = this.#base + endIndex + 1;
    if (this.#name === 'script' && !isForeign) this.#readScript(contentStart);
    else if (this.#isCdataOther) this.#restartAt(contentStart);
  }

  #readScript(start: number): void {
    const end = findScriptEnd(this.html, start);
    if (end > start) this.handler.onText(this.#withoutNul(this.html.slice(start, end), '\uFFFD'));
    this.#restartAt(end);
  }

  /** Whether the tokenizer takes CDATA for what it is not, and the page has any. */
  get #isCdataOther(): boolean {
    return this.#hasCdata && this.#foreign.allowsCdata !== this.#readsCdata;
  }

  #restartAt(index: number): void {
    this.#readsCdata = this.#foreign.allowsCdata;
    this.#restart = index;
    this.#tokenizer.pause();
  }

  #tellText(): void {
    if (this.#textEnd > this.#textStart) {
      const text = this.html.slice(this.#textStart, this.#textEnd);
      this.handler.onText(this.#withoutNul(text, this.#keepsNul ? '\uFFFD' : ''));
    }
    this.#textStart = this.#textEnd;
  }

  get #keepsNul(): boolean {
    return this.#foreign.isForeign || TEXT_ONLY.has(this.#name);
  }

  #slice(start: number, endIndex: number): string {
    return this.#withoutNul(this.html.slice(this.#base + start, this.#base + endIndex), '\uFFFD');
  }

  #withoutNul(text: string, by: '\uFFFD' | ''): string {
    return this.#hasNul && text.includes('\0') ? replaceNul(text, by) : text;
  }
}

/** Unit by unit: `replaceAll` takes 60 ms for a megabyte of U+0000, and a piece of memory for each. */
function replaceNul(text: string, by: '\uFFFD' | ''): string {
  const units = Buffer.from(text, 'utf16le');
  let end = 0;
  for (let at = 0; at < units.length; at += 2) {
    const unit = units.readUInt16LE(at);
    if (unit === 0 && by === '') continue;
    end = units.writeUInt16LE(unit === 0 ? 0xfffd : unit, end);
  }
  return units.toString('utf16le', 0, end);
}
