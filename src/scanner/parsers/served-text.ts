import type { ServedText } from '../artifacts/pages.js';

type Part = 'main' | 'heading' | 'surrounding' | 'noscript';

const PARTS = new Map<string, Part>([
  ...['main', 'article'].map((name) => [name, 'main'] as const),
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, 'heading'] as const),
  // About the site, unless they are inside its main content.
  ...['nav', 'header', 'footer', 'aside', 'button', 'select'].map((name) => [name, 'surrounding'] as const),
  ['noscript', 'noscript'],
]);

/** A page with fewer words, no heading and scripts is made by its scripts: "Loading", a word or two beside a spinner. */
const SHELL_WORDS_MAX = 20;
/** More words than these for readers without scripts are content, not a request to switch scripts on. */
const NOSCRIPT_WORDS_MAX = 40;
/** "Redirecting. If nothing happens, follow this link." */
const REDIRECT_WORDS_MAX = 30;

/** Collects the text that a page serves, by the part of the page that it is in. */
export class ServedTextReader {
  readonly #text: string[] = [];
  readonly #words = {
    all: new WordCounter(),
    main: new WordCounter(),
    outside: new WordCounter(),
    noscript: new WordCounter(),
  };
  readonly #depths: Record<Part, number> = { main: 0, heading: 0, surrounding: 0, noscript: 0 };
  #hasHeading = false;

  get isInNoscript(): boolean {
    return this.#depths.noscript > 0;
  }

  onOpen(name: string): void {
    const part = PARTS.get(name);
    if (part !== undefined) this.#depths[part] += 1;
  }

  onClose(name: string): void {
    const part = PARTS.get(name);
    if (part !== undefined) this.#depths[part] -= 1;
  }

  onText(text: string): void {
    const { main, heading, surrounding, noscript } = this.#depths;
    this.#text.push(text);
    if (noscript > 0) {
      this.#words.noscript.add(text);
      return;
    }
    this.#words.all.add(text);
    if (main > 0) this.#words.main.add(text);
    else if (surrounding === 0) this.#words.outside.add(text);
    if (heading > 0 && text.trim() !== '') this.#hasHeading = true;
  }

  /** An element that is not inline ends a word. */
  onBoundary(): void {
    this.#text.push(' ');
    for (const counter of Object.values(this.#words)) counter.endWord();
  }

  /** @returns `isBare`: true if there is no more text than on a page that only leads elsewhere */
  finish(hasScript: boolean): { readonly text: string; readonly served: ServedText; readonly isBare: boolean } {
    const { all, main, outside, noscript } = this.#words;
    const isEmpty = all.count < SHELL_WORDS_MAX && !this.#hasHeading;
    return {
      text: this.#text.join(''),
      served: {
        wordCount: main.count || outside.count || all.count,
        isShell: hasScript && isEmpty && noscript.count < NOSCRIPT_WORDS_MAX,
      },
      isBare: all.count + noscript.count < REDIRECT_WORDS_MAX,
    };
  }
}

/** From here on (CJK radicals and up), scripts write words without spaces; two characters make about one word. */
const UNSPACED_FROM = 0x2e80;
const NO_BREAK_SPACE = 0xa0;

/** Counts the words of a text that arrives in pieces, without storing it: a page may have a million pieces. */
class WordCounter {
  #words = 0;
  #unspaced = 0;
  #isInWord = false;

  get count(): number {
    return this.#words + Math.ceil(this.#unspaced / 2);
  }

  add(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const isUnspaced = code >= UNSPACED_FROM;
      const isLetter = code > 0x20 && code !== NO_BREAK_SPACE && !isUnspaced;
      if (isUnspaced) this.#unspaced += 1;
      if (isLetter && !this.#isInWord) this.#words += 1;
      this.#isInWord = isLetter;
    }
  }

  endWord(): void {
    this.#isInWord = false;
  }
}

export function countWords(text: string): number {
  const counter = new WordCounter();
  counter.add(text);
  return counter.count;
}
