import type { Note } from './note.js';

/** The note at the head of a report of a site that has moved. */
export const MOVE_NOTE_ID = 'moved';

/** What the name of the new host takes the place of, where a reader may see it; and what a link to a scan of it says. */
const NAMELESS = 'another domain';
const INVITATION = 'scan that';

/** The parts of that note around the name of the new host and the invitation to scan it; null for any other note. */
export function partsOfMove({ id, text }: Note): readonly [before: string, invitation: string, after: string] | null {
  const [before, after] = id === MOVE_NOTE_ID ? text.split(`${NAMELESS}: ${INVITATION}`) : [];
  return before === undefined || after === undefined ? null : [before, INVITATION, after];
}

/** Whether a site has moved, so that it need not be fixed to get a score. */
export function hasMoved(notes: readonly Note[]): boolean {
  return notes.some(({ id }) => id === MOVE_NOTE_ID);
}
