import type { Feature } from '../feature.js';
import { deleteOfMarkedSites } from '../kept.js';
import { badgeToExport } from './badges.js';

export const badges: Feature = {
  tables: ['badges'],
  closeSites: [deleteOfMarkedSites('badges')],
  exportOf: badgeToExport,
};
