import type { Feature } from '../feature.js';

/** The pages that show several features. */
export const dashboard = {
  pages: () => import('./pages/routes.js'),
} satisfies Feature;
