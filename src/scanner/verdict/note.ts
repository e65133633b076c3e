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

/** True for a note about the whole report, which is shown before the score. */
export function isAtHead({ checkId }: Note): boolean {
  return checkId === null;
}

/** The note at the head of a report of a site that has moved. */
export const MOVE_NOTE_ID = 'moved';

/** Words of the note that the name of the new host replaces, where it may be shown, and the text of a link to its scan. */
const NAMELESS = 'another domain';
const INVITATION = 'scan that domain';

/** Splits that note around the name of the new host and the invitation to scan it. Returns null for any other note. */
export function partsOfMove({ id, text }: Note): readonly [before: string, invitation: string, after: string] | null {
  const [before, after] = id === MOVE_NOTE_ID ? text.split(`${NAMELESS}: ${INVITATION}`) : [];
  return before === undefined || after === undefined ? null : [before, INVITATION, after];
}

/** True if a site has moved, so that it need not be fixed to get a score. */
export function hasMoved(notes: readonly Note[]): boolean {
  return notes.some(({ id }) => id === MOVE_NOTE_ID);
}
