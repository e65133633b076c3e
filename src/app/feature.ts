import type { Kept } from './kept.js';

/** What a feature brings to the service. */
export type Feature = Kept;
