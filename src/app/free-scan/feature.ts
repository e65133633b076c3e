import type { Feature } from '../feature.js';
import { cleanUpFreeScans } from './free-scan-statements.js';

export const freeScan: Feature = {
  tables: ['free_scans'],
  cleanUps: [cleanUpFreeScans],
};
