import type { TokenizerCallbacks } from 'htmlparser2';
import { Tokenizer } from 'htmlparser2';

/** What a reader of HTML tokens is told. Names are in lower case. */
export interface HtmlTokenHandler {
  onOpen(name: string, attributes: ReadonlyMap<string, string>): void;
  onClose(name: string): void;
  /** Text with its character references decoded; the raw text of script and style as it is. */
  onText(text: string): void;
}

/** Most elements of one page that are read: far past any real page, and small enough not to hold up the process. */
const ELEMENTS_MAX = 200_000;
const ATTRIBUTES_MAX = 200;

/**
 * Reads HTML as a flat stream of tags and text, in time linear to its length. It keeps no stack of open elements, so that
 * neither deep nesting nor unclosed elements cost anything: htmlparser2's own `Parser` looks through such a stack at
 * every end tag.
 */
export function readHtmlTokens(html: string, handler: HtmlTokenHandler): void {
  const callbacks = new TokenCallbacks(html, handler);
  const tokenizer = new Tokenizer({}, callbacks);
  callbacks.stop = () => tokenizer.pause();
  tokenizer.write(html);
  tokenizer.end();
}

const ignore = (): void => undefined;

class TokenCallbacks implements TokenizerCallbacks {
  stop = ignore;
  #elementCount = 0;
  #name = '';
  #attributes = new Map<string, string>();
  #attributeName = '';
  #attributeValue = '';

  constructor(
    private readonly html: string,
    private readonly handler: HtmlTokenHandler,
  ) {}

  onopentagname(start: number, endIndex: number): void {
    this.#name = this.html.slice(start, endIndex).toLowerCase();
    this.#attributes = new Map();
  }

  onattribname(start: number, endIndex: number): void {
    this.#attributeName = this.html.slice(start, endIndex).toLowerCase();
    this.#attributeValue = '';
  }

  onattribdata(start: number, endIndex: number): void {
    this.#attributeValue += this.html.slice(start, endIndex);
  }

  onattribentity(codePoint: number): void {
    this.#attributeValue += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    // The first of two attributes of one name counts (HTML standard, "attribute name state").
    if (this.#attributes.size < ATTRIBUTES_MAX && !this.#attributes.has(this.#attributeName)) {
      this.#attributes.set(this.#attributeName, this.#attributeValue);
    }
  }

  onopentagend(): void {
    this.#elementCount += 1;
    if (this.#elementCount > ELEMENTS_MAX) this.stop();
    else this.handler.onOpen(this.#name, this.#attributes);
  }

  onselfclosingtag(): void {
    // HTML knows no self-closing tags but in SVG and MathML, where no reader of ours needs the end.
    this.onopentagend();
  }

  onclosetag(start: number, endIndex: number): void {
    this.handler.onClose(this.html.slice(start, endIndex).toLowerCase());
  }

  ontext(start: number, endIndex: number): void {
    this.handler.onText(this.html.slice(start, endIndex));
  }

  ontextentity(codePoint: number): void {
    this.handler.onText(String.fromCodePoint(codePoint));
  }

  readonly oncdata = ignore;
  readonly oncomment = ignore;
  readonly ondeclaration = ignore;
  readonly onprocessinginstruction = ignore;
  readonly onend = ignore;
}
