import { useContext } from 'preact/hooks';
import { type Delivery, DELIVERY_LOG_DAYS, LOGGED_MAX } from '../../app/alerts/deliveries.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { Mark, Now, Time } from '../html/text.js';
import { Group } from '../html/sections.js';
import { Table } from '../html/table.js';

const EVENTS: Readonly<Record<string, string>> = {
  'site.changed': 'Site changed',
  'site.proof_unread': 'Proof of ownership not found',
  'site.ownership_lost': 'Site no longer verified',
  test: 'Test',
};

/** Names the event and the site of a message. */
export function describeMessage({ event, hostname }: Delivery): string {
  const name = EVENTS[event] ?? event;
  return hostname === null ? name : `${name}: ${hostname}`;
}

/** The icon and the word of each state. */
const STATE_MARKS: Readonly<Record<Delivery['state'], readonly [icon: Result, word: string]>> = {
  waiting: ['UNDETERMINED', 'Waiting'],
  delivered: ['PASS', 'Delivered'],
  failed: ['FAIL', 'Failed'],
};

/** Names the state; a message that waits for a retry is "not delivered yet". */
export function describeState({ state, problem }: Delivery): string {
  return state === 'waiting' && problem !== null ? 'Not delivered yet' : STATE_MARKS[state][1];
}

/** True if the message is being sent, or is due. */
export function isDue({ nextAttemptAt }: Delivery, now: Date): boolean {
  return nextAttemptAt !== null && nextAttemptAt <= now.toISOString();
}

interface DeliveryLogProps {
  /** Path of the page. */
  readonly path: string;
  /** Newest first. */
  readonly log: readonly Delivery[];
}

/** The messages to a webhook with their results. */
export function DeliveryLog({ path, log }: DeliveryLogProps) {
  const now = useContext(Now);
  return (
    <Group title="Deliveries" meaning={`of the last ${DELIVERY_LOG_DAYS} days, at most ${LOGGED_MAX}`} id="log">
      {log.some((delivery) => isDue(delivery, now)) && (
        <p>
          A message is on its way. <a href={path}>Load the deliveries again</a>
        </p>
      )}
      {log.length === 0 ? (
        <p>Nothing has been sent yet.</p>
      ) : (
        <Table
          kind="stack"
          caption="Deliveries"
          groups={[{ rows: log }]}
          columns={[
            {
              title: 'Message',
              isName: true,
              cell: (delivery) => (
                <>
                  <Mark result={STATE_MARKS[delivery.state][0]} isDecorative /> {describeMessage(delivery)}
                  <br />
                  <code class="soft small nb">{delivery.id}</code>
                </>
              ),
            },
            { title: 'Result', cell: (delivery) => <Outcome delivery={delivery} /> },
            { title: 'Answer', kind: 'num', cell: ({ answerStatus }) => answerStatus ?? '–' },
            {
              title: 'Sent',
              kind: 'soft small nb',
              cell: ({ createdAt, lastAttemptAt }) => <Time at={lastAttemptAt ?? createdAt} />,
            },
          ]}
        />
      )}
    </Group>
  );
}

function Outcome({ delivery }: { readonly delivery: Delivery }) {
  const now = useContext(Now);
  const { attempts, problem, nextAttemptAt } = delivery;
  return (
    <>
      {describeState(delivery)}
      {attempts > 1 && `, ${countOf(attempts, 'attempt')}`}
      {problem !== null && `: ${problem}`}
      {nextAttemptAt !== null && !isDue(delivery, now) && (
        <>
          {' '}
          Next attempt <Time at={nextAttemptAt} />.
        </>
      )}
    </>
  );
}
