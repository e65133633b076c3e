/** Advice next to a finding: no proven defect, never scored, and not part of the contract. */
export interface Note {
  readonly id: string;
  /** The check that it is shown with; null if it is about the whole report. */
  readonly checkId: string | null;
  /** One sentence in our own words: what was seen, and what to do. */
  readonly text: string;
  /** The standard that it follows, in words such as "llms.txt (v2)". */
  readonly standard: string;
  readonly url: string;
}

/** True for a note about the whole report, which reports show before the score. */
export function isReportNote({ checkId }: Note): boolean {
  return checkId === null;
}

/** Id of the note at the head of the report on a site that has moved. */
export const MOVE_NOTE_ID = 'moved';

/** True if a site has moved, so that no fix can give it a score. */
export function hasMoved(notes: readonly Note[]): boolean {
  return notes.some(({ id }) => id === MOVE_NOTE_ID);
}
