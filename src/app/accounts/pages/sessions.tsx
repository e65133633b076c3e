import type { JSX } from 'preact';
import { ServiceError } from '../../../platform/errors.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { Table } from '../../../web/kit/components/table.js';
import { Time } from '../../../web/kit/components/text.js';
import { paramOf, seeOther } from '../../../web/kit/context.js';
import { sessionOf } from './session.js';
import { formatUtc } from '../../../web/kit/format.js';
import type { Part } from '../../part.js';
import { SESSIONS_LISTED_MAX } from '../session-statements.js';
import type { ListedSession } from '../sign-in.js';
import { leave } from './enter.js';

/** Signing out one session, from the list on the account's page. */
export const addSessionRoutes: Part = (router, deps) => {
  router.post('/account/sessions/:sessionId/sign-out', async (ctx) => {
    const { account, id } = sessionOf(ctx);
    const sessionId = paramOf(ctx, 'sessionId');
    // One of another account is as absent as one that never was.
    if (!(await deps.signIn.signOutSession({ accountId: account.id, sessionId }))) throw new ServiceError('not_found');
    if (sessionId === id) leave(ctx, deps);
    else seeOther(ctx, '/account?done=session');
  });
};

export interface SessionListProps {
  readonly sessions: readonly ListedSession[];
  /** The one that asks. */
  readonly ownId: string;
  readonly now: Date;
}

export function SessionList({ sessions, ownId, now }: SessionListProps): JSX.Element {
  return (
    <>
      <h2>Sessions</h2>
      {sessions.length === SESSIONS_LISTED_MAX && (
        <p>
          The {SESSIONS_LISTED_MAX} used last are shown. <q>Sign out everywhere</q> ends the others too.
        </p>
      )}
      <Table caption="Where you are signed in" head={[['Signed in'], ['Last used'], ['From'], ['Sign out']]}>
        {sessions.map(({ id, startedAt, lastSeenAt, address }) => (
          <tr key={id}>
            <th scope="row">
              <Time at={startedAt} now={now} />
            </th>
            <td data-label="Last used">{id === ownId ? 'now, in this browser' : <Time at={lastSeenAt} now={now} />}</td>
            <td data-label="From" class="mono">
              {address ?? '–'}
            </td>
            <td class="action">
              <ActionButton
                action={`/account/sessions/${id}/sign-out`}
                kind="quiet"
                label={`Sign out the session of ${formatUtc(startedAt)}${address === null ? '' : `, from ${address}`}`}
              >
                Sign out
              </ActionButton>
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
