import type { JSX } from 'preact';
import { utcDay } from '../../platform/clock.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import type { Delivery } from '../../app/alerts/deliveries.js';
import { Icon, Mark } from '../html/icons.js';
import { Group } from '../html/page-header.js';
import { PinStrip } from '../html/pin-row.js';
import { Time } from '../html/text.js';
import { formatDay, formatMoment, formatToSecond } from '../html/format.js';

const EVENTS: Readonly<Record<string, string>> = {
  'site.changed': 'Change of a site',
  'site.proof_unread': 'Proof of ownership not found',
  'site.ownership_lost': 'Site no longer verified',
  test: 'Test',
};

/** Names the message: its event and site. */
export function nameOf({ event, hostname }: Delivery): string {
  const name = EVENTS[event] ?? event;
  return hostname === null ? name : `${name}: ${hostname}`;
}

interface DeliveryRowsProps {
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
  readonly now: Date;
}

/** The messages to a webhook with their results, today's first. */
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
  /** When it was created, as the row shows it. */
  readonly at: string;
}

function DeliveryRow({ delivery, at, now }: DeliveryRowProps): JSX.Element {
  const { state, attempts, answerStatus, problem } = delivery;
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

/** True if the message is being sent, or is due. */
export function isDue({ nextAttemptAt }: Delivery, now: Date): boolean {
  return nextAttemptAt !== null && nextAttemptAt <= now.toISOString();
}

/** The icon and the word of each state. */
const LOOKS: Readonly<Record<Delivery['state'], readonly [icon: Result, word: string]>> = {
  waiting: ['UNDETERMINED', 'Waiting'],
  delivered: ['PASS', 'Delivered'],
  failed: ['FAIL', 'Failed'],
};

function DeliveryMark({ state }: { readonly state: Delivery['state'] }): JSX.Element {
  return <Mark result={LOOKS[state][0]} isDecorative />;
}

/** Names the state; a message that waits for a retry is "not delivered yet". */
export function wordOf({ state, problem }: Delivery): string {
  return state === 'waiting' && problem !== null ? 'Not delivered yet' : LOOKS[state][1];
}

const PINS_MAX = 10;

/** The last messages as pins, newest at the right, and in words. @param props.deliveries newest first */
export function DeliveryPins({ deliveries }: { readonly deliveries: readonly Delivery[] }): JSX.Element {
  const last = deliveries.slice(0, PINS_MAX).reverse();
  const states = Map.groupBy(last, ({ state }) => state);
  return (
    <>
      <PinStrip
        pins={last.map(({ id, state }) => ({ key: id, state: LOOKS[state][0] }))}
        room={PINS_MAX}
        size="pins-s"
      />
      <span class="soft small">
        {[...states].map(([state, { length }]) => `${length} ${LOOKS[state][1].toLowerCase()}`).join(', ')}
      </span>
    </>
  );
}
