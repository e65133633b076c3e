import type { ServedText } from '../artifacts/pages.js';
import { WordCounter } from './word-count.js';

type Part = 'main' | 'heading' | 'surrounding' | 'noscript';

const PARTS = new Map<string, Part>([
  ...['main', 'article'].map((name) => [name, 'main'] as const),
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, 'heading'] as const),
  // About the site, unless they are inside its main content.
  ...['nav', 'header', 'footer', 'aside', 'button', 'select'].map((name) => [name, 'surrounding'] as const),
  ['noscript', 'noscript'],
]);

/** A page with fewer words, no heading and scripts is made by its scripts: "Loading", a word or two alongside a spinner. */
const SHELL_WORDS_MAX = 20;
/** More words than these for readers without scripts are content, not a request to switch scripts on. */
const NOSCRIPT_WORDS_MAX = 40;
/** "Redirecting. If nothing happens, follow this link." */
const REDIRECT_WORDS_MAX = 30;

/** Counts the words that a page serves, while it is read. */
export class ServedTextReader {
  readonly #all = new WordCounter();
  readonly #main = new WordCounter();
  readonly #outside = new WordCounter();
  readonly #noscript = new WordCounter();
  readonly #counters = [this.#all, this.#main, this.#outside, this.#noscript];
  #mainDepth = 0;
  #surroundingDepth = 0;
  #noscriptDepth = 0;
  #headingDepth = 0;
  #hasHeading = false;

  get isInNoscript(): boolean {
    return this.#noscriptDepth > 0;
  }

  onOpen(name: string): void {
    this.#count(name, 1);
  }

  onClose(name: string): void {
    this.#count(name, -1);
  }

  onText(text: string): void {
    if (this.#noscriptDepth > 0) {
      this.#noscript.add(text);
      return;
    }
    this.#all.add(text);
    if (this.#mainDepth > 0) this.#main.add(text);
    else if (this.#surroundingDepth === 0) this.#outside.add(text);
    if (this.#headingDepth > 0 && text.trim() !== '') this.#hasHeading = true;
  }

  /** An element that is not inline ends a word. */
  onBoundary(): void {
    for (const counter of this.#counters) counter.break();
  }

  /** Whether there is no more than a page that only leads elsewhere has. */
  get isBare(): boolean {
    return this.#all.count + this.#noscript.count < REDIRECT_WORDS_MAX;
  }

  finish(hasScript: boolean): ServedText {
    const isEmpty = this.#all.count < SHELL_WORDS_MAX && !this.#hasHeading;
    return {
      wordCount: this.#main.count || this.#outside.count || this.#all.count,
      isShell: hasScript && isEmpty && this.#noscript.count < NOSCRIPT_WORDS_MAX,
    };
  }

  #count(name: string, step: 1 | -1): void {
    const part = PARTS.get(name);
    if (part === undefined) return;
    if (part === 'main') this.#mainDepth = Math.max(0, this.#mainDepth + step);
    else if (part === 'heading') this.#headingDepth = Math.max(0, this.#headingDepth + step);
    else {
      this.#surroundingDepth = Math.max(0, this.#surroundingDepth + step);
      if (part === 'noscript') this.#noscriptDepth = Math.max(0, this.#noscriptDepth + step);
    }
  }
}
