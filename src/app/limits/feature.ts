import type { Feature } from '../feature.js';
import { cleanUpWindows } from './rate-window-statements.js';
import { cleanUpBudgets, cleanUpKeptBudgets } from './run-budget-statements.js';
import { cleanUpScanning } from './scanning-statements.js';

export const limits: Feature = {
  tables: ['rate_windows', 'run_budgets', 'removed_budgets', 'scanning_processes'],
  cleanUps: [cleanUpBudgets, cleanUpKeptBudgets, cleanUpWindows, cleanUpScanning],
};
