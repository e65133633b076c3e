import type { Feature } from '../feature.js';
import { cleanUpWindows } from './rate-window-statements.js';
import { cleanUpBudgets, cleanUpKeptBudgets } from './run-budget-statements.js';
import { cleanUpScanning } from './scanning-statements.js';

export const limits = {
  tables: ['rate_windows', 'run_budgets', 'removed_budgets', 'scanning_processes'],
  cleanUps: [cleanUpBudgets, cleanUpKeptBudgets, cleanUpWindows, cleanUpScanning],
  privacy: () => ({
    Visitors: [
      {
        what: 'Digests of your IP address and of its network (/24, or /32, /48 and /56)',
        why: 'To limit free scans',
        kept: 'The hour that is counted; deleted within hours after it',
      },
      {
        what: 'Digests of your IP address, the e-mail address, and the account or browser',
        why: 'To limit wrong passwords',
        kept: '15 minutes; deleted within hours after that',
      },
    ],
  }),
} satisfies Feature;
