import type { Feature } from '../feature.js';
import { cleanUpWindows } from './rate-window-statements.js';
import { cleanUpBudgets, cleanUpKeptBudgets } from './run-budget-statements.js';
import { cleanUpScanning } from './scanning-statements.js';

export const limits = {
  tables: ['rate_windows', 'run_budgets', 'removed_budgets', 'scanning_processes'],
  cleanUps: [cleanUpBudgets, cleanUpKeptBudgets, cleanUpWindows, cleanUpScanning],
  privacy: () => ({
    Visitors: [
      'IP addresses of visitors are not stored, except with a wrong password for an account (see below). Where a limit needs one, only its digest is counted: for free scans by the hour, that of its network (/24, or /32, /48 and /56) too, and, with a digest of the e-mail address, the account or the browser, for wrong passwords by the quarter of an hour. Counts that have ended are deleted within hours.',
    ],
  }),
} satisfies Feature;
