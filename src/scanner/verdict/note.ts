/** Advice alongside a finding: no proven defect, never scored, and no part of the contract. */
export interface Note {
  readonly id: string;
  /** The check alongside whose finding it is shown; null if it is about the whole report. */
  readonly checkId: string | null;
  /** One sentence in our own words: what was seen, and what to do. */
  readonly text: string;
  /** The standard that it follows, in words such as "llms.txt (v2)". */
  readonly standard: string;
  readonly url: string;
}
