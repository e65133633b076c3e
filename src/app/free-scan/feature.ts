import type { Feature } from '../feature.js';
import { countOf } from '../../platform/counts.js';
import { cleanUpFreeScans, FREE_SCAN_KEPT_MS } from './free-scan-statements.js';

const KEPT = countOf(FREE_SCAN_KEPT_MS / 3_600_000, 'hour');

export const freeScan = {
  tables: ['free_scans'],
  cleanUps: [cleanUpFreeScans],
  pages: () => import('./pages/routes.js'),
  privacy: () => ({
    'Free scans': [
      {
        what: 'The host and the result',
        why: 'To show the result to anyone who asks for the same host',
        kept: `${KEPT}; deleted within hours after that`,
      },
      {
        what: 'A digest of the network address that asked first, together with the host; nothing else about who asked',
        why: 'So that the same address may repeat the scan after a minute',
        kept: KEPT,
      },
    ],
  }),
} satisfies Feature;
