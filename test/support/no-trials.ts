import type { TryFile } from '../../src/app/context.js';

/** Where nothing is tried. */
export const noTrials: TryFile = () => Promise.reject(new Error('nothing was to be tried'));
