import type { JSX } from 'preact';
import { type ListedSession, SESSIONS_LISTED_MAX } from '../../app/accounts/sessions.js';
import { ActionButton } from '../html/form.js';
import { formatMoment, Time } from '../html/text.js';

interface SessionListProps {
  readonly sessions: readonly ListedSession[];
  /** Id of the current session. */
  readonly ownId: string;
  readonly now: Date;
}

/** The account's sessions, the current one first. */
export function SessionList({ sessions, ownId, now }: SessionListProps): JSX.Element {
  const ordered = sessions.toSorted((a, b) => Number(b.id === ownId) - Number(a.id === ownId));
  return (
    <>
      {sessions.length === SESSIONS_LISTED_MAX && (
        <p>
          The {SESSIONS_LISTED_MAX} used last are shown. <q>Sign out everywhere</q> ends the others too.
        </p>
      )}
      <ul class="plain">
        {ordered.map((session) => (
          <SessionItem key={session.id} session={session} isOwn={session.id === ownId} now={now} />
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
    <li class="row apart">
      <span>
        {isOwn ? `This browser: ${name}` : name}
        <br />
        <span class="soft small">
          Signed in <Time at={startedAt} now={now} />
          {from}, last used <Time at={lastSeenAt} now={now} />
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
    </li>
  );
}
