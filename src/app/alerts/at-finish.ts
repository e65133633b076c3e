import { siteChanged, withPins } from './alert-event.js';
import { observeRun } from './changes.js';
import type { Clock } from '../../platform/clock.js';
import { selectEmailAlertsOfSite } from './alert-state-statements.js';
import { all, one, type Transaction } from '../../store/transaction.js';
import { selectWebhooksInUse, type UsedWebhookRow } from './webhook-statements.js';
import type { FinishedRun } from '../runs/run-performer.js';
import { hashIn } from '../runs/run-label.js';
import { acceptedOf } from '../triage/accepted-failures.js';
import { keepState, stateBefore } from './known-state.js';
import { addMessage } from './outbox.js';

export interface AlertsAtFinishDeps {
  readonly clock: Clock;
  /** The origin of links. */
  readonly publicUrl: string;
  /** Whether the operator has configured a mail server. */
  readonly hasMail: boolean;
}

/**
 * Compares a run with what was known of its site, in the transaction that stores the run: so the state follows the numbers of
 * the runs, and one change makes one message for each receiver, never two. An account that wants no alerts costs two look-ups.
 */
export function createAlertsAtFinish(deps: AlertsAtFinishDeps): (run: FinishedRun) => Transaction<void> {
  const { clock, publicUrl, hasMail } = deps;
  return function* ({ accountId, response, label, pages }) {
    const siteId = response.site.id;
    const receivers = yield* receiversOf(accountId, siteId, hasMail);
    if (receivers.length === 0) return;
    const accepted = yield* acceptedOf(siteId);
    const before = yield* stateBefore(response, accepted);
    const { state, changes } = observeRun(before, { ...response, pages }, accepted);
    yield* keepState(siteId, state);
    if (changes.length === 0) return;
    const now = clock.now();
    const told = { changes, previousScore: before?.score ?? null, commit: label && hashIn(label) };
    const event = siteChanged(response, told, { publicUrl, now });
    const forPrograms = JSON.stringify(event);
    const forPeople = JSON.stringify(withPins(event, response.findings));
    for (const webhook of receivers) {
      const body = webhook !== null && webhook.format === null ? forPrograms : forPeople;
      yield* addMessage({ accountId, siteId, event: event.type, body, webhook }, now);
    }
  };
}

/** The webhooks in use that get the site's alerts; null stands for the e-mail address. */
function* receiversOf(
  accountId: string,
  siteId: string,
  hasMail: boolean,
): Transaction<readonly (UsedWebhookRow | null)[]> {
  const webhooks = yield* all(selectWebhooksInUse({ account_id: accountId, site_id: siteId }));
  const email = hasMail ? yield* one(selectEmailAlertsOfSite({ id: accountId, site_id: siteId })) : undefined;
  return [...webhooks, ...(email && email.email_alerts_since !== null ? [null] : [])];
}
