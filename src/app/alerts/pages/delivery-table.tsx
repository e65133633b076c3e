import type { JSX } from 'preact';
import type { Delivery } from '../webhooks.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { Table } from '../../../web/kit/components/table.js';
import { Time } from '../../../web/kit/components/text.js';
import { alertsAddress } from './addresses.js';
import { DeliveryState } from './states.js';

const EVENTS: Readonly<Record<string, string>> = {
  'site.changed': 'Change of a site',
  'site.proof_unread': 'Proof of ownership not found',
  'site.ownership_lost': 'Site no longer verified',
  test: 'Test',
};

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
    <Table
      caption="Messages, the latest first"
      head={[['Message'], ['State'], ['Attempts', 'number'], ['Last answer'], ['Next attempt'], ['Send again']]}
    >
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} {...rest} />
      ))}
    </Table>
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
        {isDue(delivery, now) ? 'now' : nextAttemptAt === null ? 'none' : <Time at={nextAttemptAt} now={now} />}
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

/** Whether the message is being sent, or would be if a worker were free. */
export function isDue({ nextAttemptAt }: Delivery, now: Date): boolean {
  return nextAttemptAt !== null && nextAttemptAt <= now.toISOString();
}

function LastAnswer({ delivery, now }: { readonly delivery: Delivery; readonly now: Date }): JSX.Element {
  const { answerStatus, problem, lastAttemptAt } = delivery;
  // The first attempt may be going on.
  if (answerStatus === null && problem === null) return <>none yet</>;
  return (
    <>
      {problem ?? `Status ${answerStatus}.`}
      {lastAttemptAt !== null && (
        <>
          <br />
          <span class="exact">
            <Time at={lastAttemptAt} now={now} />
          </span>
        </>
      )}
    </>
  );
}
