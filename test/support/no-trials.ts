import type { FileTrier } from '../../src/app/context.js';

/** Where nothing is tried. */
export const noTrials: FileTrier = () => Promise.reject(new Error('nothing was to be tried'));
