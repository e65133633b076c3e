import type { JSX } from 'preact';
import type { Delivery } from '../../service/alerts/webhooks.js';
import { ActionButton } from '../components/form.js';
import { Time } from '../components/text.js';
import { alertsAddress } from './addresses.js';
import { DeliveryState } from './states.js';

const EVENTS: Readonly<Record<string, string>> = { 'site.changed': 'Change of a site', test: 'Test' };

interface DeliveryTableProps {
  readonly webhookId: string;
  /** Whether messages can be sent to the webhook. */
  readonly isInUse: boolean;
  /** The latest first. */
  readonly deliveries: readonly Delivery[];
  readonly now: Date;
}

/** The messages to a webhook, and how each fared. */
export function DeliveryTable({ deliveries, ...rest }: DeliveryTableProps): JSX.Element {
  return (
    <table class="stack">
      <caption>Messages, the latest first</caption>
      <thead>
        <tr>
          <th scope="col">Message</th>
          <th scope="col">State</th>
          <th scope="col" class="number">
            Attempts
          </th>
          <th scope="col">Last answer</th>
          <th scope="col">Next attempt</th>
          <th scope="col">Send again</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} {...rest} />
        ))}
      </tbody>
    </table>
  );
}

function DeliveryRow(props: Omit<DeliveryTableProps, 'deliveries'> & { readonly delivery: Delivery }): JSX.Element {
  const { delivery, webhookId, isInUse, now } = props;
  const { id, event, hostname, createdAt, state, attempts, nextAttemptAt } = delivery;
  return (
    <tr>
      <th scope="row">
        {EVENTS[event] ?? event}
        {hostname !== null && <>: {hostname}</>}
        <br />
        <span class="exact">
          <Time at={createdAt} now={now} />
        </span>
      </th>
      <td data-label="State">
        <DeliveryState state={state} />
      </td>
      <td class="number" data-label="Attempts">
        {attempts}
      </td>
      <td data-label="Last answer">
        <LastAnswer delivery={delivery} now={now} />
      </td>
      <td data-label="Next attempt">
        {nextAttemptAt === null ? 'none' : <NextAttempt at={nextAttemptAt} now={now} />}
      </td>
      <td class="action">
        {isInUse && (
          <ActionButton action={alertsAddress.sendAgain(webhookId, id)} kind="quiet">
            Send again
          </ActionButton>
        )}
      </td>
    </tr>
  );
}

function NextAttempt({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  return at <= now.toISOString() ? <>now</> : <Time at={at} now={now} />;
}

function LastAnswer({ delivery, now }: { readonly delivery: Delivery; readonly now: Date }): JSX.Element {
  const { answerStatus, problem, lastAttemptAt } = delivery;
  // The first attempt may be going on.
  if (answerStatus === null && problem === null) return <>none yet</>;
  return (
    <>
      {answerStatus !== null && <>Status {answerStatus}. </>}
      {problem !== null && <>{problem} </>}
      {lastAttemptAt !== null && <Time at={lastAttemptAt} now={now} />}
    </>
  );
}
