import type { NoteRule } from './note.js';

/** Every note, in the order of the checks beside which they stand. */
export const NOTES: readonly NoteRule[] = [];
