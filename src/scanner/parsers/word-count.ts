/** From here on (CJK radicals and up), scripts write words without spaces; two characters make about one word. */
const UNSPACED_FROM = 0x2e80;
const SPACE_MAX = 0x20;
const NO_BREAK_SPACE = 0xa0;

/** Counts the words of a text that arrives in pieces, in one pass. */
export class WordCounter {
  #words = 0;
  #unspaced = 0;
  #isInWord = false;

  get count(): number {
    return this.#words + Math.ceil(this.#unspaced / 2);
  }

  add(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const isSpace = code <= SPACE_MAX || code === NO_BREAK_SPACE;
      const isUnspaced = code >= UNSPACED_FROM;
      if (isUnspaced) this.#unspaced += 1;
      else if (!isSpace && !this.#isInWord) this.#words += 1;
      this.#isInWord = !isSpace && !isUnspaced;
    }
  }

  /** The next piece begins a word. */
  break(): void {
    this.#isInWord = false;
  }
}

export function countWords(text: string): number {
  const counter = new WordCounter();
  counter.add(text);
  return counter.count;
}
