import type { TryingScanner } from '../../src/scanner/scan/scanner.js';

/** Where nothing is tried. */
export const noTrials: TryingScanner = () => Promise.reject(new Error('nothing was to be tried'));
