import type { Delivery } from '../../app/alerts/deliveries.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { Mark } from '../html/icons.js';
import { Table } from '../html/table.js';
import { Time } from '../html/text.js';

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

/** The icon and the word of each state. */
const LOOKS: Readonly<Record<Delivery['state'], readonly [icon: Result, word: string]>> = {
  waiting: ['UNDETERMINED', 'Waiting'],
  delivered: ['PASS', 'Delivered'],
  failed: ['FAIL', 'Failed'],
};

/** Names the state; a message that waits for a retry is "not delivered yet". */
export function wordOf({ state, problem }: Delivery): string {
  return state === 'waiting' && problem !== null ? 'Not delivered yet' : LOOKS[state][1];
}

/** True if the message is being sent, or is due. */
export function isDue({ nextAttemptAt }: Delivery, now: Date): boolean {
  return nextAttemptAt !== null && nextAttemptAt <= now.toISOString();
}

interface DeliveryTableProps {
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
  readonly now: Date;
}

/** The messages to a webhook with their results. */
export function DeliveryTable({ deliveries, now }: DeliveryTableProps) {
  return (
    <Table
      kind="stack"
      caption="Deliveries"
      keyOf={({ id }) => id}
      groups={[{ rows: deliveries }]}
      columns={[
        {
          title: 'Message',
          isName: true,
          cell: (delivery: Delivery) => (
            <>
              <Mark result={LOOKS[delivery.state][0]} isDecorative /> {nameOf(delivery)}
              <br />
              <code class="soft small">{delivery.id}</code>
            </>
          ),
        },
        {
          title: 'Result',
          label: 'Result',
          cell: (delivery) => (
            <>
              {wordOf(delivery)}
              {delivery.attempts > 1 && `, ${countOf(delivery.attempts, 'attempt')}`}
              {delivery.problem !== null && `: ${delivery.problem}`}
              {delivery.nextAttemptAt !== null && !isDue(delivery, now) && (
                <>
                  {' '}
                  Next attempt <Time at={delivery.nextAttemptAt} now={now} />.
                </>
              )}
            </>
          ),
        },
        { title: 'Answer', label: 'Answer', kind: 'num', cell: ({ answerStatus }) => answerStatus ?? '–' },
        {
          title: 'Sent',
          label: 'Sent',
          kind: 'soft small',
          cell: ({ createdAt, lastAttemptAt }) => <Time at={lastAttemptAt ?? createdAt} now={now} />,
        },
      ]}
    />
  );
}
