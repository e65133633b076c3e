import { CONTROL_PARTS } from './control-parts.js';
import { REPORT_PARTS } from './report-parts.js';
import { PIN_PARTS } from './pin-parts.js';
import type { SheetPart } from './sheet-part.js';
import { TEXT_PARTS } from './text-parts.js';

/** Every component of the design: a change of its look is seen here, and in the golden of the tests. */
export const SHEET: readonly SheetPart[] = [...PIN_PARTS, ...TEXT_PARTS, ...REPORT_PARTS, ...CONTROL_PARTS];
