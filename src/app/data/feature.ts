import type { Feature } from '../feature.js';

/** Taking data along, and removing it. */
export const data = {
  pages: () => import('./pages/routes.js'),
  events: { site_removed: 'Site removed', data_exported: 'Data exported' },
} satisfies Feature;
