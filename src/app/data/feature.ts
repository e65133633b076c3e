import type { Feature } from '../feature.js';
import { ERASE_EVERY_MS, eraseLeftovers } from './erasure.js';
import { CLEAN_UP_EVERY_MS, keepHouse } from './housekeeping.js';

/** Taking data along, and removing it. */
export const data = {
  pages: () => import('./pages/routes.js'),
  events: { site_removed: 'Site removed', data_exported: 'Data exported' },
  upkeep: (work) => [
    ['ERASURE', ERASE_EVERY_MS, () => eraseLeftovers(work.db, work.features)],
    ['CLEANUP', CLEAN_UP_EVERY_MS, () => keepHouse(work.db, work.clock.now(), work)],
  ],
} satisfies Feature;
