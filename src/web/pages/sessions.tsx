import type { JSX } from 'preact';
import { ServiceError } from '../../platform/errors.js';
import { ActionButton } from '../html/form.js';
import { Icon } from '../html/icons.js';
import { Time } from '../html/text.js';
import { paramOf, seeOther } from '../server/context.js';
import { sessionOf, signOutAndRedirect } from '../server/session.js';
import { formatMoment } from '../html/format.js';
import type { Part } from '../server/page-part.js';
import { type ListedSession, SESSIONS_LISTED_MAX } from '../../app/accounts/sessions.js';

/** Adds the forms that end one listed session, or all but the current one. */
export const addSessionRoutes: Part = (router, deps) => {
  router.post('/account/sessions/:sessionId/sign-out', async (ctx) => {
    const { account, id } = sessionOf(ctx);
    const sessionId = paramOf(ctx, 'sessionId');
    // Another account's session is answered like an unknown one.
    if (!(await deps.signIn.signOutSession({ accountId: account.id, sessionId }))) throw new ServiceError('not_found');
    if (sessionId === id) signOutAndRedirect(ctx, deps);
    else seeOther(ctx, '/account?done=session');
  });

  router.post('/account/sign-out-others', async (ctx) => {
    const { account } = sessionOf(ctx);
    await deps.signIn.signOutOthers({
      accountId: account.id,
      token: deps.sessionCookie.read(ctx) ?? '',
    });
    seeOther(ctx, '/account?done=others');
  });
};

export interface SessionListProps {
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
      <ul class="items">
        {ordered.map((session) => (
          <SessionItem key={session.id} {...{ session, now }} isOwn={session.id === ownId} />
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
        <span class="soft small">Everywhere ends this session, too. API keys keep working.</span>
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
    <li>
      <Icon name="lock" />
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
    </li>
  );
}
