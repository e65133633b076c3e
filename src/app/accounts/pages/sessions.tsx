import type { JSX } from 'preact';
import { ServiceError } from '../../../platform/errors.js';
import { ActionButton } from '../../../web/components/form.js';
import { Table } from '../../../web/components/table.js';
import { Time } from '../../../web/components/text.js';
import { paramOf, seeOther, sessionOf } from '../../../web/context.js';
import { formatCount } from '../../../platform/counts.js';
import { formatUtc } from '../../../web/format.js';
import type { Part } from '../../../web/part.js';
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

/** How many sessions are shown: the last used ones. A script that signs in each time leaves thousands. */
const SHOWN_MAX = 50;

export interface SessionListProps {
  readonly sessions: readonly ListedSession[];
  /** The one that asks. */
  readonly ownId: string;
  readonly now: Date;
}

export function SessionList({ sessions, ownId, now }: SessionListProps): JSX.Element {
  const shown = sessions.slice(0, SHOWN_MAX);
  return (
    <>
      <h2>Sessions</h2>
      {sessions.length > shown.length && (
        <p>
          These are the {shown.length} last used of {formatCount(sessions.length)}.
        </p>
      )}
      <Table caption="Where you are signed in" head={[['Signed in'], ['Last used'], ['From'], ['Sign out']]}>
        {shown.map(({ id, startedAt, lastSeenAt, address }) => (
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
