import { MOVE_NOTE_ID } from '../../scanner/verdict/move.js';
import type { Note } from '../../scanner/verdict/note.js';
import type { ScanReport } from '../../scanner/scan/scan.js';

/** A note as it is kept alongside a run: that of a move holds the name of the new host, which is the site's word. */
type KeptNote = Note & { readonly movedTo?: string };

export type RunNotes = Pick<ScanReport, 'notes' | 'movedTo'>;

/** As JSON; null where there are none. */
export function packNotes({ notes, movedTo }: RunNotes): string | null {
  if (notes.length === 0) return null;
  return JSON.stringify(
    notes.map((note): KeptNote => (note.id === MOVE_NOTE_ID && movedTo !== null ? { ...note, movedTo } : note)),
  );
}

/** Takes the name out again, so that a note holds our own words alone. */
export function unpackNotes(kept: string | null): RunNotes {
  const all = JSON.parse(kept ?? '[]') as readonly KeptNote[];
  return {
    notes: all.map(({ id, checkId, text, standard, url }) => ({ id, checkId, text, standard, url })),
    movedTo: all.find(({ movedTo }) => movedTo !== undefined)?.movedTo ?? null,
  };
}
