import type { Feature } from '../feature.js';
import { cleanUpWindows } from './rate-window-statements.js';
import { cleanUpBudgets, cleanUpKeptBudgets } from './run-budget-statements.js';
import { cleanUpScanning } from './scanning-statements.js';

export const limits = {
  tables: ['rate_windows', 'run_budgets', 'removed_budgets', 'scanning_processes'],
  cleanUps: [cleanUpBudgets, cleanUpKeptBudgets, cleanUpWindows, cleanUpScanning],
  privacy: () => ({
    'As a visitor': [
      {
        what: '**IP address** of who asks for a free scan: hashes of it and of its network',
        why: 'To limit free scans',
        kept: 'The hour that is counted; deleted within hours after it',
      },
      {
        what: '**Wrong passwords:** hashes of your IP address, the e-mail address, and the account or browser',
        why: 'To limit wrong passwords',
        kept: '15 minutes; deleted within hours after that',
      },
    ],
  }),
} satisfies Feature;
