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
        what: '**Result** and host',
        why: 'To show the result to anyone who asks for the same host',
        kept: `${KEPT}; deleted within hours after that`,
      },
      {
        what: '**Who asked first:** a hash of the IP address together with the host, nothing else',
        why: 'So that the same address may repeat the scan after a minute',
        kept: KEPT,
      },
    ],
  }),
} satisfies Feature;
