import type { NoteRule } from './note.js';
import { PAGE_NOTES } from './pages.js';

/** Every note, in the order of the checks beside which they stand. */
export const NOTES: readonly NoteRule[] = [...PAGE_NOTES];
