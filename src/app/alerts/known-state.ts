import type { FailureKind } from '../../scanner/verdict/finding.js';
import { type AlertState, observeRun } from './changes.js';
import type { RunResponse } from '../runs/run.js';
import { resultsBefore } from '../runs/history.js';
import { selectAlertState, upsertAlertState } from './alert-state-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';

/** Counts up with the shape of {@link AlertState}: what another version has kept is not read, but made again from the runs. */
const SHAPE = 4;

interface KeptState extends AlertState {
  readonly shape: number;
}

/**
 * How many earlier runs are looked at where nothing is known yet of a site (alerts were turned on, or the service is new to them),
 * so that a check that was UNDETERMINED in the last one is known all the same.
 */
const SEED_RUNS_MAX = 50;

export function keepState(site_id: string, state: AlertState): Transaction<void> {
  const kept: KeptState = { ...state, shape: SHAPE };
  return execute(upsertAlertState({ site_id, state: JSON.stringify(kept) }));
}

/**
 * What was known before this run. A state that is not of the run just before is from a time when the account had alerts before:
 * what has changed since then is not news.
 */
export function* stateBefore(
  { site, run }: RunResponse,
  accepted: readonly FailureKind[],
): Transaction<AlertState | null> {
  const row = yield* one(selectAlertState({ site_id: site.id }));
  const kept = row ? (JSON.parse(row.state) as KeptState) : null;
  if (kept?.shape === SHAPE && kept.run === run.number - 1) return kept;
  const earlier = yield* resultsBefore(site.id, run.number, SEED_RUNS_MAX);
  return earlier.reduceRight<AlertState | null>((state, results) => observeRun(state, results, accepted).state, null);
}
