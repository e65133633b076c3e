import type { Feature } from '../feature.js';
import { deleteOfMarkedSites } from '../kept.js';
import { ChainSweep, LINK_EVERY_MS } from './chain-sweep.js';
import { QUEUED_TRIGGERS } from './run.js';
import { RunHandler } from './run-handler.js';
import { queue_oldest_due_seconds, queued_runs } from './run-gauges.js';
import { eraseRuns } from './erase-runs.js';
import { cleanUpClaims } from './idempotency-statements.js';
import { runLines } from './run-export.js';

export const runs = {
  tables: [
    'runs',
    'run_notes',
    'run_gains',
    'run_pages',
    'run_labels',
    'next_run_labels',
    'run_chain',
    'supplement_chain',
    'texts',
    'epochs',
    'used_ids',
    'idempotency_keys',
  ],
  closeSites: [deleteOfMarkedSites('next_run_labels')],
  eraseSite: eraseRuns,
  cleanUps: [cleanUpClaims],
  lines: { run: runLines },
  privacy: () => ({
    'Sites and runs': [
      {
        what: '**Runs** with their findings, which hold nothing of your pages',
        why: 'To show what changed',
        kept: 'Until you remove the site. Whatever else the scanner read is forgotten when the scan ends, but for the evidence below',
      },
      {
        what: '**Names of runs:** the label and the commit that your deployments and requests give them',
        why: 'To say what changed with which deployment',
        kept: 'Until you remove the site',
      },
      {
        what: '**Runs by day:** how many a site had',
        why: 'For the daily limits',
        kept: 'Until the second day after, even if the site is removed',
      },
    ],
  }),
  gauges: { queued_runs, queue_oldest_due_seconds },
  handlers: (work) => ({
    runs: Object.fromEntries(QUEUED_TRIGGERS.map((trigger) => [trigger, new RunHandler(trigger, work)])),
  }),
  upkeep({ db, onBrokenChain }) {
    const chains = new ChainSweep(db, onBrokenChain);
    return [['CHAINS', LINK_EVERY_MS, () => chains.begin()]];
  },
} satisfies Feature;
