import type { JSX } from 'preact';
import { type ListedSession, SESSIONS_LISTED_MAX } from '../../app/accounts/sessions.js';
import { type AuditEvent, EVENT_WORDS } from '../../app/audit/audit.js';
import { ActionButton } from '../html/form.js';
import { formatMoment } from '../html/format.js';
import { Time } from '../html/text.js';
import { DescriptionList } from '../html/sidebar.js';

interface SessionListProps {
  readonly sessions: readonly ListedSession[];
  /** Id of the current session. */
  readonly ownId: string;
  readonly now: Date;
}

/** The account's sessions, the current one first. */
export function SessionList({ sessions, ownId, now }: SessionListProps): JSX.Element {
  const ordered = [...sessions].sort((a, b) => Number(b.id === ownId) - Number(a.id === ownId));
  return (
    <>
      {sessions.length === SESSIONS_LISTED_MAX && (
        <p>
          The {SESSIONS_LISTED_MAX} used last are shown. <q>Sign out everywhere</q> ends the others too.
        </p>
      )}
      <ul class="plain">
        {ordered.map((session) => (
          <li key={session.id} class="row apart">
            <SessionItem {...{ session, now }} isOwn={session.id === ownId} />
          </li>
        ))}
      </ul>
      <div class="row more">
        {sessions.length > 1 && (
          <ActionButton action="/account/sign-out-others" kind="quiet">
            Sign out everywhere else
          </ActionButton>
        )}
        <ActionButton action="/account/sign-out-everywhere" kind="quiet">
          Sign out everywhere
        </ActionButton>
        <span class="soft small">Everywhere includes this browser. API keys keep working.</span>
      </div>
    </>
  );
}

interface SessionItemProps {
  readonly session: ListedSession;
  readonly isOwn: boolean;
  readonly now: Date;
}

function SessionItem({ session, isOwn, now }: SessionItemProps): JSX.Element {
  const { id, startedAt, lastSeenAt, address, browser } = session;
  const from = address === null ? '' : `, from ${address}`;
  const name = browser ?? 'Another browser';
  return (
    <>
      <span>
        {isOwn ? (
          <>This browser{browser !== null && `: ${browser}`}</>
        ) : (
          <>
            {name}, last used <Time at={lastSeenAt} now={now} />
          </>
        )}
        <br />
        <span class="soft small">
          Signed in <Time at={startedAt} now={now} />
          {from}
        </span>
      </span>
      {!isOwn && (
        <ActionButton
          action={`/account/sessions/${id}/sign-out`}
          kind="quiet"
          isTight
          label={`Sign out ${name}, signed in ${formatMoment(startedAt, now.toISOString())} UTC${from}`}
        >
          Sign out
        </ActionButton>
      )}
    </>
  );
}

const SIGN_INS_SHOWN = 2;

/** The last sign-ins. A wrong password before them stays visible: the next guess may have been right. */
export function SignIns({ events, now }: { readonly events: readonly AuditEvent[]; readonly now: Date }): JSX.Element {
  const wrong = events.find(({ event }) => event === 'wrong_password');
  return (
    <DescriptionList
      facts={events
        .filter((shown, index) => index < SIGN_INS_SHOWN || shown === wrong)
        .map(({ at, event, subject }) => [
          <span class={event === 'wrong_password' ? 'chip is-u' : undefined}>
            {subject === null ? EVENT_WORDS[event] : `${EVENT_WORDS[event]}: ${subject}`}
          </span>,
          <Time at={at} now={now} />,
        ])}
    />
  );
}
