import type { Feature } from '../feature.js';
import { deleteOfAccount, deleteOfMarkedSites } from '../kept.js';
import { automationToExport } from './automation-export.js';

export const automation: Feature = {
  tables: ['schedules', 'deploy_hooks'],
  // The schedules before the jobs: a planner that has one locked may be about to queue its run.
  closeSites: [deleteOfMarkedSites('schedules'), deleteOfMarkedSites('jobs'), deleteOfMarkedSites('deploy_hooks')],
  closeAccount: [deleteOfAccount('jobs')],
  exportOf: automationToExport,
};
