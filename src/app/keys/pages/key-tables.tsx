import type { JSX } from 'preact';
import type { CountedApiKey, KeysUsage } from '../keys.js';
import { Table } from '../../../web/kit/components/table.js';
import { Time } from '../../../web/kit/components/text.js';
import { formatCount } from '../../../platform/counts.js';
import { formatUtc } from '../../../web/kit/format.js';

/** What the prefix and the hint of a key leave of it. */
function KeyHint({ hint }: { readonly hint: string }): JSX.Element {
  return <code>ars_{hint}…</code>;
}

export interface LiveKeysProps {
  readonly keys: readonly CountedApiKey[];
  readonly usage: Pick<KeysUsage, 'monthlyQuota' | 'renewsAt'>;
  readonly now: Date;
}

/** The keys that open the API, each with its requests against the quota. */
export function LiveKeys({ keys, usage: { monthlyQuota, renewsAt }, now }: LiveKeysProps): JSX.Element {
  return (
    <>
      <p>
        Each key has {formatCount(monthlyQuota)} requests a month. The count starts again at {formatUtc(renewsAt)}.
      </p>
      <Table
        caption="Your keys"
        head={[
          ['Name'],
          ['Key'],
          ['Created'],
          ['Last used'],
          ['Expires'],
          ['Requests this month', 'number'],
          ['Revoke'],
        ]}
      >
        {keys.map((key) => (
          <tr key={key.id}>
            <th scope="row">{key.name}</th>
            <td data-label="Key">
              <KeyHint hint={key.hint} />
            </td>
            <td data-label="Created">
              <Time at={key.createdAt} now={now} />
            </td>
            <td data-label="Last used">{key.lastUsedAt === null ? 'never' : <Time at={key.lastUsedAt} now={now} />}</td>
            <td data-label="Expires">{key.expiresAt === null ? 'never' : formatUtc(key.expiresAt)}</td>
            <td class="number" data-label="Requests this month">
              {formatCount(key.usedThisMonth)} of {formatCount(monthlyQuota)}
            </td>
            <td class="action">
              <a class="btn quiet" href={`/keys/${key.id}/revoke`} aria-label={`Revoke the key ${key.name}`}>
                Revoke
              </a>
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

/** How many ended keys are shown: the last ones, to explain refused requests. */
const ENDED_SHOWN_MAX = 20;

/** The keys that open nothing any more. */
export function EndedKeys({ keys, now }: Omit<LiveKeysProps, 'usage'>): JSX.Element {
  const shown = [...keys].sort((a, b) => endOf(b).localeCompare(endOf(a))).slice(0, ENDED_SHOWN_MAX);
  return (
    <details>
      <summary>Revoked and expired keys ({formatCount(keys.length)})</summary>
      {keys.length > shown.length && <p>These are the last {shown.length}.</p>}
      <Table
        caption="Requests with these are refused"
        head={[['Name'], ['Key'], ['Last used'], ['Ended'], ['Requests this month', 'number']]}
      >
        {shown.map((key) => (
          <tr key={key.id}>
            <th scope="row">{key.name}</th>
            <td data-label="Key">
              <KeyHint hint={key.hint} />
            </td>
            <td data-label="Last used">{key.lastUsedAt === null ? 'never' : <Time at={key.lastUsedAt} now={now} />}</td>
            <td data-label="Ended">
              {key.state} on {formatUtc(endOf(key))}
            </td>
            <td class="number" data-label="Requests this month">
              {formatCount(key.usedThisMonth)}
            </td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

/** When it ended, or will. */
function endOf({ state, revokedAt, expiresAt }: CountedApiKey): string {
  return (state === 'revoked' ? revokedAt : expiresAt) ?? '';
}
