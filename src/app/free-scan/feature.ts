import type { Feature } from '../feature.js';
import { countOf } from '../../platform/counts.js';
import { cleanUpFreeScans, FREE_SCAN_KEPT_MS } from './free-scan-statements.js';

export const freeScan = {
  tables: ['free_scans'],
  cleanUps: [cleanUpFreeScans],
  pages: () => import('./pages/routes.js'),
  privacy: () => ({
    'Free scans': [
      `The host and the result are kept for ${countOf(FREE_SCAN_KEPT_MS / 3_600_000, 'hour')}, and shown to anyone who asks for the same host in that time. They are deleted within hours after that.`,
      'Of who asked first, a digest of the network address together with the host is kept as long as the result, so that the same address may repeat the scan after a minute. Nothing else of who asked is kept.',
    ],
  }),
} satisfies Feature;
