import { siteChanged } from '../../domain/alert-event.js';
import { type AlertState, observeRun } from '../../domain/alerts.js';
import type { Clock } from '../../domain/clock.js';
import type { RunResponse } from '../../domain/run.js';
import { selectAlertState, selectEmailAlerts, upsertAlertState } from '../../store/alert-states.js';
import { selectRunBodies } from '../../store/runs.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import { selectWebhooksInUse } from '../../store/webhooks.js';
import type { FinishedRun } from '../run-performer.js';
import type { Work } from '../work.js';
import { addMessage, workOfDelivery } from './outbox.js';

export interface AlertsAtFinishDeps {
  readonly clock: Clock;
  /** The origin of links. */
  readonly publicUrl: string;
  /** Whether the operator has configured a mail server. */
  readonly hasMail: boolean;
}

/**
 * How many earlier runs are looked at where nothing is known yet of a site (alerts were turned on, or the service is new to them),
 * so that a check that was UNDETERMINED in the last one is known all the same.
 */
const SEED_RUNS_MAX = 5;

/**
 * Compares a run with what was known of its site, in the transaction that stores the run: so the state follows the numbers of
 * the runs, and one change makes one message for each receiver, never two. An account that wants no alerts costs two look-ups.
 */
export function createAlertsAtFinish(deps: AlertsAtFinishDeps): (run: FinishedRun) => Transaction<readonly Work[]> {
  const { clock, publicUrl, hasMail } = deps;
  return function* ({ accountId, response }) {
    const receivers = yield* receiversOf(accountId, hasMail);
    if (receivers.length === 0) return [];
    const before = yield* stateBefore(response);
    const { state, changes } = observeRun(before, response);
    const site_id = response.site.id;
    yield* execute(upsertAlertState({ site_id, state: JSON.stringify(state) }));
    if (changes.length === 0) return [];
    const now = clock.now();
    const event = siteChanged(response, { changes, previousScore: before?.score ?? null }, { publicUrl, now });
    const message = { accountId, siteId: site_id, event: event.type, body: JSON.stringify(event) };
    const work: Work[] = [];
    for (const webhookId of receivers) work.push(workOfDelivery(yield* addMessage({ ...message, webhookId }, now)));
    return work;
  };
}

/** The webhooks that are in use; null stands for the e-mail address. */
function* receiversOf(accountId: string, hasMail: boolean): Transaction<readonly (string | null)[]> {
  const webhooks = yield* all(selectWebhooksInUse({ account_id: accountId }));
  const email = hasMail ? yield* one(selectEmailAlerts({ id: accountId })) : undefined;
  return [...webhooks.map(({ id }) => id), ...(email && email.email_alerts_since !== null ? [null] : [])];
}

/**
 * What was known before this run. A state that is not of the run just before is from a time when the account had alerts before:
 * what has changed since then is no news.
 */
function* stateBefore({ site, run }: RunResponse): Transaction<AlertState | null> {
  const row = yield* one(selectAlertState({ site_id: site.id }));
  const known = row ? (JSON.parse(row.state) as AlertState) : null;
  if (known?.run === run.number - 1) return known;
  const first = Math.max(1, run.number - SEED_RUNS_MAX);
  const rows = yield* all(selectRunBodies({ site_id: site.id, first, last: run.number - 1 }));
  return rows
    .map(({ body }) => JSON.parse(Buffer.from(body).toString('utf8')) as RunResponse)
    .reduceRight<AlertState | null>((state, earlier) => observeRun(state, earlier).state, null);
}
