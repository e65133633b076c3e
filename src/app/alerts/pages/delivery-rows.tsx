import type { JSX } from 'preact';
import { utcDay } from '../../../platform/clock.js';
import { countOf } from '../../../platform/counts.js';
import type { Delivery } from '../webhook.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { Icon } from '../../../web/kit/components/icons.js';
import { Group } from '../../../web/kit/components/mast.js';
import { Time } from '../../../web/kit/components/text.js';
import { formatDay, formatMoment, formatToSecond } from '../../../web/kit/format.js';
import { alertsAddress } from './addresses.js';
import { DeliveryMark, wordOf } from './states.js';

const EVENTS: Readonly<Record<string, string>> = {
  'site.changed': 'Change of a site',
  'site.proof_unread': 'Proof of ownership not found',
  'site.ownership_lost': 'Site no longer verified',
  test: 'Test',
};

/** What a message tells of. */
export function nameOf({ event, hostname }: Delivery): string {
  const name = EVENTS[event] ?? event;
  return hostname === null ? name : `${name}: ${hostname}`;
}

export interface DeliveryRowsProps {
  readonly webhookId: string;
  /** Whether messages can be sent to the webhook. */
  readonly isInUse: boolean;
  /** The latest first. */
  readonly deliveries: readonly Delivery[];
  readonly now: Date;
}

/** The messages to a webhook, those of today first, and how each fared. */
export function DeliveryRows({ deliveries, ...rest }: DeliveryRowsProps): JSX.Element {
  const day = utcDay(rest.now);
  const [today, earlier] = [true, false].map((isToday) =>
    deliveries.filter(({ createdAt }) => createdAt.startsWith(day) === isToday),
  ) as [Delivery[], Delivery[]];
  return (
    <>
      {today.length > 0 && (
        <Group level="h3" title="Today" meaning={`${formatDay(day, day)}, UTC`}>
          {today.map((delivery) => (
            <DeliveryRow key={delivery.id} {...{ delivery, ...rest }} at={formatToSecond(delivery.createdAt)} />
          ))}
        </Group>
      )}
      {earlier.length > 0 && (
        <Group level="h3" title="Earlier">
          {earlier.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              {...{ delivery, ...rest }}
              at={`${formatMoment(delivery.createdAt, day)} UTC`}
            />
          ))}
        </Group>
      )}
    </>
  );
}

interface DeliveryRowProps extends Omit<DeliveryRowsProps, 'deliveries'> {
  readonly delivery: Delivery;
  /** When it was made, as the row says it. */
  readonly at: string;
}

function DeliveryRow({ delivery, at, webhookId, isInUse, now }: DeliveryRowProps): JSX.Element {
  const { id, state, attempts, answerStatus, problem } = delivery;
  return (
    <details class="finding">
      <summary>
        <DeliveryMark state={state} />
        <span class="t">{nameOf(delivery)}</span>
        <span class="d small">
          {wordOf(delivery)}, {at}
          {attempts > 1 && <>, {countOf(attempts, 'attempt')}</>}
          {problem !== null && <>: {problem}</>}
        </span>
        <span class="gain">
          <span>
            {answerStatus !== null && <b>{answerStatus}</b>}
            <small>{answerStatus === null ? state === 'failed' && 'no answer' : 'answer'}</small>
          </span>
          <Icon name="right" />
        </span>
      </summary>
      <div class="inside">
        <Attempts delivery={delivery} now={now} />
        {isInUse && (
          <ActionButton action={alertsAddress.sendAgain(webhookId, id)} kind="quiet" icon="again">
            Send again
          </ActionButton>
        )}
      </div>
    </details>
  );
}

function Attempts({ delivery, now }: { readonly delivery: Delivery; readonly now: Date }): JSX.Element {
  const { id, lastAttemptAt, nextAttemptAt } = delivery;
  return (
    <p class="soft small">
      {lastAttemptAt !== null && (
        <>
          Last attempt <Time at={lastAttemptAt} now={now} />.{' '}
        </>
      )}
      {nextAttemptAt !== null && (
        <>Next attempt {isDue(delivery, now) ? 'now' : <Time at={nextAttemptAt} now={now} />}. </>
      )}
      <code>webhook-id: {id}</code>
    </p>
  );
}

/** Whether the message is being sent, or would be if a worker were free. */
export function isDue({ nextAttemptAt }: Delivery, now: Date): boolean {
  return nextAttemptAt !== null && nextAttemptAt <= now.toISOString();
}
