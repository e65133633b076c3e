import type { TokenizerCallbacks } from 'htmlparser2';
import { Tokenizer } from 'htmlparser2';
import { EventLoopYielder } from '../evidence/event-loop.js';

/** Callbacks of an HTML reader. Names are in lower case. */
export interface HtmlTokenHandler {
  onOpen(name: string, attributes: ReadonlyMap<string, string>): void;
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
 * keeps no stack of open elements, so neither deep nesting nor unclosed elements cost anything: htmlparser2's own `Parser`
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

const ignore = (): void => undefined;

class TokenReader implements TokenizerCallbacks {
  readonly #tokenizer = new Tokenizer({}, this);
  #at = 0;
  #name = '';
  #attributes = new Map<string, string>();
  #attributeName = '';
  #attributeValue = '';
  /** Text that was read but not yet reported: the tokenizer splits it at every `<` that opens nothing. */
  #textStart = 0;
  #textEnd = 0;

  constructor(
    private readonly html: string,
    private readonly handler: HtmlTokenHandler,
  ) {}

  /** Reads the next chunk; false at the end. */
  readChunk(): boolean {
    const end = Math.min(this.#at + CHUNK_CHARS, this.html.length);
    this.#tokenizer.write(this.html.slice(this.#at, end));
    this.#at = end;
    if (end === this.html.length) this.#tokenizer.end();
    this.#tellText();
    return end < this.html.length;
  }

  onopentagname(start: number, endIndex: number): void {
    this.#tellText();
    this.#name = this.html.slice(start, endIndex).toLowerCase();
    this.#attributes = new Map();
  }

  onattribname(start: number, endIndex: number): void {
    this.#attributeName = this.html.slice(start, Math.min(endIndex, start + ATTRIBUTE_CHARS_MAX)).toLowerCase();
    this.#attributeValue = '';
  }

  onattribdata(start: number, endIndex: number): void {
    const charsLeft = ATTRIBUTE_CHARS_MAX - this.#attributeValue.length;
    if (charsLeft > 0) this.#attributeValue += this.html.slice(start, Math.min(endIndex, start + charsLeft));
  }

  onattribentity(codePoint: number): void {
    if (this.#attributeValue.length < ATTRIBUTE_CHARS_MAX) this.#attributeValue += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    // The first of two attributes with the same name counts (HTML standard, "attribute name state").
    if (this.#attributes.size < ATTRIBUTES_MAX && !this.#attributes.has(this.#attributeName)) {
      this.#attributes.set(this.#attributeName, this.#attributeValue);
    }
  }

  onopentagend(): void {
    this.handler.onOpen(this.#name, this.#attributes);
  }

  onselfclosingtag(): void {
    // HTML has self-closing tags only in SVG and MathML, where none of our readers needs the end.
    this.onopentagend();
  }

  onclosetag(start: number, endIndex: number): void {
    this.#tellText();
    this.handler.onClose(this.html.slice(start, endIndex).toLowerCase());
  }

  ontext(start: number, endIndex: number): void {
    if (start !== this.#textEnd) {
      this.#tellText();
      this.#textStart = start;
    }
    this.#textEnd = endIndex;
  }

  ontextentity(codePoint: number): void {
    this.#tellText();
    this.handler.onText(String.fromCodePoint(codePoint));
  }

  readonly oncdata = ignore;
  readonly oncomment = ignore;
  readonly ondeclaration = ignore;
  readonly onprocessinginstruction = ignore;
  readonly onend = ignore;

  #tellText(): void {
    if (this.#textEnd > this.#textStart) this.handler.onText(this.html.slice(this.#textStart, this.#textEnd));
    this.#textStart = this.#textEnd;
  }
}
