import type { FileTrier } from '../../src/app/free-scan/free-scans.js';

/** Where nothing is tried. */
export const noTrials: FileTrier = () => Promise.reject(new Error('nothing was to be tried'));
