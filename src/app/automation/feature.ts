import type { Feature } from '../feature.js';
import { PLAN_EVERY_MS, planSchedules } from './schedule-planner.js';
import { deleteOfAccount, deleteOfMarkedSites } from '../kept.js';
import { automationToExport } from './automation-export.js';

export const automation = {
  tables: ['schedules', 'deploy_hooks'],
  // Jobs of every kind: they are the queue's, and most start runs. The schedules before them: a planner that has one locked may be about to
  // queue its run.
  closeSites: [deleteOfMarkedSites('schedules'), deleteOfMarkedSites('jobs'), deleteOfMarkedSites('deploy_hooks')],
  closeAccount: [deleteOfAccount('jobs')],
  exportOf: automationToExport,
  pages: () => import('./pages/automation-page.js'),
  events: {
    deploy_hook_created: 'Deploy hook created',
    deploy_hook_removed: 'Deploy hook removed',
    schedule_set: 'Schedule set',
    schedule_removed: 'Schedule turned off',
  },
  privacy: () => ({
    'Sites and runs': [
      { what: '**Schedule**', why: 'To run it on time', kept: 'Until you turn it off' },
      {
        what: '**Deploy hook:** a hash of it, when it was made and last used',
        why: 'To start runs after your deployments',
        kept: 'Until you turn it off',
      },
    ],
  }),
  upkeep: (work) => [['SCHEDULES', PLAN_EVERY_MS, () => planSchedules(work)]],
} satisfies Feature;
