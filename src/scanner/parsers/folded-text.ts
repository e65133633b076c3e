/** Text is folded in chunks of about this many characters, so that no chunk takes long. */
const CHUNK_CHARS = 8_192;

/** White space other than a single space: a match is copied, and nearly all white space is single spaces. */
const UNFOLDED = /[^\S ]\s*| \s+/g;

/** Collects text in chunks, replaces each run of white space by one space, and trims the ends. */
export class FoldedText {
  readonly #folded: string[] = [];
  #pending: string[] = [];
  #pendingChars = 0;
  /** True if the folded text ends in a space or is empty. */
  #endsInSpace = true;

  add(text: string): void {
    this.#pending.push(text);
    this.#pendingChars += text.length;
    if (this.#pendingChars >= CHUNK_CHARS) this.#fold();
  }

  toString(): string {
    this.#fold();
    return this.#folded.join('').trimEnd();
  }

  #fold(): void {
    const folded = this.#pending.join('').replaceAll(UNFOLDED, ' ');
    this.#pending = [];
    this.#pendingChars = 0;
    const text = this.#endsInSpace && folded.startsWith(' ') ? folded.slice(1) : folded;
    if (text === '') return;
    this.#folded.push(text);
    this.#endsInSpace = text.endsWith(' ');
  }
}
