/** Text is folded in pieces of about so many characters, so that no piece takes long. */
const PIECE_CHARS = 8_192;

/** White space that is not one space already: what matches is copied, and nearly all of a text's white space is single spaces. */
const UNFOLDED = /[^\S ]\s*| \s+/g;

/** Text that comes in pieces, with each run of white space made one space, and none at its ends. */
export class FoldedText {
  readonly #folded: string[] = [];
  #pending: string[] = [];
  #pendingChars = 0;
  /** What was folded last ends in a space, or nothing was. */
  #endsInSpace = true;

  add(text: string): void {
    this.#pending.push(text);
    this.#pendingChars += text.length;
    if (this.#pendingChars >= PIECE_CHARS) this.#fold();
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
