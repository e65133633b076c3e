import { type AuditEvent, type AuditEventName, EVENT_DAYS, EVENT_WORDS } from '../../app/audit/audit.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { Pager } from '../html/sections.js';
import { formatDay, formatMoment, formatTime } from '../html/text.js';
import { type Column, Table } from '../html/table.js';
import { queryOf, sendPage, sessionOf } from '../server/routes.js';
import type { AddRoutes } from '../server/page.js';
import { AccountHeader } from './account.js';

const ADDRESS = '/account/activity';

export const addActivityPage: AddRoutes = (router, { readEvents, clock }) => {
  router.get(ADDRESS, async (ctx) => {
    const before = queryOf(ctx, 'before') || undefined;
    const { events, next } = await readEvents(sessionOf(ctx).account.id, before);
    const today = clock.now().toISOString();
    sendPage(ctx, {
      title: 'Activity',
      header: (
        <AccountHeader
          at={ADDRESS}
          title="Activity"
          lead={`Who did what, when and from where. Kept for ${countOf(EVENT_DAYS, 'day')}.`}
        />
      ),
      main: (
        <div class="w over-text">
          <p class="soft small">
            Something you didn’t do? <a href="/account#set-password">Set a new password</a>, which signs out everyone
            else, and <a href="/keys">revoke your API keys</a>.
          </p>
          {events.length === 0 ? (
            <p>No earlier activity.</p>
          ) : (
            <Table
              kind="stack log"
              caption="Activity"
              columns={COLUMNS}
              groups={[...Map.groupBy(events, ({ at }) => at.slice(0, 10))].map(([day, rows]) => ({
                title: today.startsWith(day) ? 'Today, UTC' : `${formatDay(day, today)}, UTC`,
                rows: mergeEvents(rows),
              }))}
            />
          )}
          <Pager
            label="Pages of the activity"
            links={[
              before !== undefined && [ADDRESS, 'Latest'],
              next !== null && [`${ADDRESS}?before=${encodeURIComponent(next)}`, 'Earlier'],
            ]}
          />
        </div>
      ),
    });
  });
};

const ACTOR_WORDS: Readonly<Record<AuditEvent['actor'], string>> = {
  holder: 'You',
  operator: 'Operator',
  service: 'The service',
  unknown: 'Unknown',
};

/** Events whose subject is a plan. */
const PLAN_EVENTS: ReadonlySet<AuditEventName> = new Set(['account_created', 'plan_changed']);

/** An event, or several that differ only in their subject. */
type EventLine = AuditEvent & { readonly subjects: readonly string[] };

/** Merges events of the same minute that differ only in their subject. */
function mergeEvents(events: readonly AuditEvent[]): readonly EventLine[] {
  const lines = Map.groupBy(events, ({ id, at, event, actor, address, subject }) =>
    subject === null ? id : [at.slice(0, 16), event, actor, address].join(' '),
  );
  return [...lines.values()].flatMap((group) => {
    const subjects = group.flatMap(({ subject }) => subject ?? []);
    return group.slice(0, 1).map((first) => ({ ...first, subjects }));
  });
}

/** Most subjects named; the rest are counted. */
const NAMED_MAX = 3;

function nameSubjects({ event, subjects }: EventLine): string {
  const names = subjects.slice(0, NAMED_MAX).join('; ');
  const more = subjects.length - NAMED_MAX;
  return `${PLAN_EVENTS.has(event) ? 'plan ' : ''}${names}${more > 0 ? ` and ${more} more` : ''}`;
}

const COLUMNS: readonly Column<EventLine>[] = [
  {
    title: 'Time',
    kind: 'num soft',
    cell: ({ at }) => (
      <time dateTime={at} title={`${formatMoment(at, '')} UTC`}>
        {formatTime(at)}
      </time>
    ),
  },
  {
    title: 'What',
    cell: (line) => (
      <>
        {EVENT_WORDS[line.event]}
        {line.subjects.length > 0 && (
          <>
            : <b>{nameSubjects(line)}</b>
          </>
        )}{' '}
        {line.event === 'wrong_password' && (
          <a class="chip is-u" href="/account#set-password">
            not you?
          </a>
        )}
      </>
    ),
  },
  { title: 'Who', kind: 'soft small', cell: ({ actor }) => ACTOR_WORDS[actor] },
  { title: 'From', kind: 'soft small num', cell: ({ address }) => address },
];
