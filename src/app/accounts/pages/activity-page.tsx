import type { JSX } from 'preact';
import { Table } from '../../../web/kit/components/table.js';
import { Time } from '../../../web/kit/components/text.js';
import { queryOf } from '../../../web/kit/context.js';
import { sessionOf } from './session.js';
import { countOf } from '../../../platform/counts.js';
import { Pager } from '../../../web/kit/components/pager.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part } from '../../part.js';
import type { AuditEvent, EventWords } from '../../audit/audit.js';
import { EVENTS_KEPT_DAYS } from '../../audit/events-kept.js';

const ADDRESS = '/account/activity';

/** What was done to the account, a page at a time. */
export const addActivityPage: Part = (router, { readEvents, eventWords, clock, sendPage }) => {
  router.get(ADDRESS, async (ctx) => {
    const { account } = sessionOf(ctx);
    const before = queryOf(ctx, 'before') || undefined;
    const { events, next } = await readEvents(account.id, before);
    sendPage(ctx, {
      title: 'Activity',
      main: (
        <>
          <Heading lead={<a href="/account">Account</a>}>Activity</Heading>
          <p>
            Every change of who can get in and of what is stored, kept for {countOf(EVENTS_KEPT_DAYS, 'day')}. If you
            see something that was not you, change your password and revoke your API keys.
          </p>
          {events.length === 0 ? (
            <p>There is nothing earlier.</p>
          ) : (
            <Events {...{ events, eventWords, now: clock.now() }} />
          )}
          <Pager label="Pages of the activity" address={ADDRESS} isLatest={before === undefined} before={next} />
        </>
      ),
    });
  });
};

const ACTOR_WORDS: Readonly<Record<AuditEvent['actor'], string>> = {
  holder: 'Account holder',
  operator: 'The operator, by command line',
  service: 'The service',
  unknown: 'Unknown',
};

interface EventsProps {
  readonly events: readonly AuditEvent[];
  readonly eventWords: EventWords;
  readonly now: Date;
}

function Events({ events, eventWords, now }: EventsProps): JSX.Element {
  return (
    <Table caption="The latest first" head={[['What'], ['When'], ['Who'], ['From']]}>
      {events.map(({ id, at, event, subject, actor, address, count }) => (
        <tr key={id}>
          <th scope="row">
            {eventWords[event]}
            {subject !== null && <>: {subject}</>}
            {count > 1 && <>, {count} times within an hour</>}
          </th>
          <td data-label="When">
            <Time at={at} now={now} />
          </td>
          <td data-label="Who">{ACTOR_WORDS[actor]}</td>
          <td data-label="From" class="mono">
            {address ?? '–'}
          </td>
        </tr>
      ))}
    </Table>
  );
}
