import type { JSX } from 'preact';
import { Group } from '../html/page-header.js';
import { Pager } from '../html/pager.js';
import { PickItem } from '../html/pick.js';
import { queryOf } from '../server/context.js';
import { formatDay, formatMoment, formatTime } from '../html/format.js';
import { sessionOf } from '../server/session.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Part } from '../server/page-part.js';
import { type AuditEvent, type AuditEventName, EVENT_WORDS, EVENT_DAYS } from '../../app/audit/audit.js';
import { AccountHeader } from './account.js';
import { groupByDay } from '../html/days.js';
import { TableHead } from '../html/table.js';

const ADDRESS = '/account/activity';

/** Adds the page of the account's events. */
export const addActivityPage: Part = (router, { readEvents, clock, sendPage }) => {
  router.get(ADDRESS, async (ctx) => {
    const { account } = sessionOf(ctx);
    const before = queryOf(ctx, 'before') || undefined;
    const show = Object.keys(KINDS).find((kind) => kind === queryOf(ctx, 'show')) ?? ALL;
    const { events, next } = await readEvents(account.id, { before, among: eventsOf(show) });
    const lead = `Who did what, when and from where. Kept for ${countOf(EVENT_DAYS, 'day')}.`;
    const now = clock.now();
    sendPage(ctx, {
      title: 'Activity',
      header: <AccountHeader at={ADDRESS} title="Activity" lead={lead} />,
      main: (
        <div class="w over-text">
          <p class="soft small">
            Something you didn’t do? <a href="/account#set-password">Set a new password</a>, which signs out everyone
            else, and <a href="/keys">revoke your API keys</a>.
          </p>
          <Kinds shown={show} />
          {events.length === 0 && <p>{before === undefined ? 'No activity.' : 'No earlier activity.'}</p>}
          {groupByDay(events, ({ at }) => at, now).map(({ day, name, entries }) => {
            const date = formatDay(day, now.toISOString());
            return (
              <Group key={day} title={name === day ? date : name} meaning={name === day ? 'UTC' : `${date}, UTC`}>
                <Events events={entries} />
              </Group>
            );
          })}
          <Pager
            label="Pages of the activity"
            address={addressOf(show)}
            isLatest={before === undefined}
            before={next}
          />
        </div>
      ),
    });
  });
};

const ALL = '';

/** The filters, with the first words of their events' names. */
const KINDS: Readonly<Record<string, readonly [label: string, words: readonly string[]]>> = {
  'sign-ins': ['Sign-ins', ['sign', 'signed', 'wrong', 'password']],
  sites: [
    'Sites',
    ['site', 'ownership', 'deploy', 'schedule', 'badge', 'report', 'failure', 'acceptance', 'evidence', 'tags'],
  ],
  alerts: ['Alerts', ['webhook', 'email']],
  keys: ['API keys', ['key']],
};

function firstWordOf(event: string): string {
  return event.split('_', 1)[0] ?? '';
}

function eventsOf(kind: string): readonly AuditEventName[] {
  const words = KINDS[kind]?.[1] ?? [];
  return (Object.keys(EVENT_WORDS) as AuditEventName[]).filter((event) => words.includes(firstWordOf(event)));
}

function addressOf(kind: string): string {
  return kind === ALL ? ADDRESS : `${ADDRESS}?show=${kind}`;
}

function Kinds({ shown }: { readonly shown: string }): JSX.Element {
  const offered = [[ALL, 'All'] as const, ...Object.entries(KINDS).map(([kind, [label]]) => [kind, label] as const)];
  return (
    <nav aria-label="Which events" class="jumps">
      <ul class="pick">
        {offered.map(([kind, label]) => (
          <PickItem key={kind} href={addressOf(kind)} isChosen={kind === shown}>
            {label}
          </PickItem>
        ))}
      </ul>
    </nav>
  );
}

const ACTOR_WORDS: Readonly<Record<AuditEvent['actor'], string>> = {
  holder: 'You',
  operator: 'Operator',
  service: 'The service',
  unknown: 'Unknown',
};

/** Events whose subject is a plan. */
const PLAN_EVENTS: ReadonlySet<AuditEventName> = new Set(['account_created', 'plan_changed']);

function Events({ events }: { readonly events: readonly AuditEvent[] }): JSX.Element {
  return (
    <table class="stack log">
      <TableHead columns={[['Time'], ['What'], ['Who'], ['From']]} isHidden />
      <tbody>
        {events.map(({ id, at, event, subject, actor, address }) => (
          <tr key={id}>
            <td class="num soft">
              <time dateTime={at} title={`${formatMoment(at, '')} UTC`}>
                {formatTime(at)}
              </time>
            </td>
            <td>
              {EVENT_WORDS[event]}
              {subject !== null && (
                <>
                  : <b>{PLAN_EVENTS.has(event) ? `plan ${subject}` : subject}</b>
                </>
              )}{' '}
              {event === 'wrong_password' && (
                <a class="chip is-u" href="/account#set-password">
                  not you?
                </a>
              )}
            </td>
            <td class="soft small">{ACTOR_WORDS[actor]}</td>
            <td class="soft small num">{address}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
