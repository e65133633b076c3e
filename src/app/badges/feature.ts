import type { Feature } from '../feature.js';
import { deleteOfMarkedSites } from '../kept.js';
import { badgeToExport } from './badges.js';

export const badges = {
  tables: ['badges'],
  closeSites: [deleteOfMarkedSites('badges')],
  exportOf: badgeToExport,
  pages: () => import('./pages/routes.js'),
  events: {
    badge_turned_on: 'Badge turned on',
    badge_renewed: 'Badge given a new address',
    badge_turned_off: 'Badge turned off',
  },
  privacy: () => ({
    'Sites and runs': [
      {
        what: '**Badge:** its address',
        why: 'Anyone who has it sees the latest score and which checks passed and failed, nothing else',
        kept: 'Until you turn it off',
      },
    ],
  }),
} satisfies Feature;
