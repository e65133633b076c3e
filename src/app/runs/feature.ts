import type { Feature } from '../feature.js';
import { eraseRuns } from './erase-runs.js';
import { cleanUpClaims } from './idempotency-statements.js';
import { runLines } from './run-export.js';

export const runs: Feature = {
  tables: [
    'runs',
    'run_notes',
    'run_gains',
    'run_chain',
    'supplement_chain',
    'texts',
    'epochs',
    'used_ids',
    'idempotency_keys',
  ],
  eraseSite: eraseRuns,
  cleanUps: [cleanUpClaims],
  lines: { run: runLines },
};
