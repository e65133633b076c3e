import type { JSX } from 'preact';
import type { CountedApiKey } from '../../app/keys/keys.js';
import { formatCount } from '../../scanner/artifacts/counts.js';
import { ActionButton } from '../html/form.js';
import { Fold } from '../html/fold.js';
import { formatMoment } from '../html/format.js';
import { Group } from '../html/page-header.js';
import { TableHead } from '../html/table.js';
import { Time } from '../html/text.js';
import { UseBar } from '../html/use-bar.js';

/** The characters by which people recognise a key. */
function KeyHint({ hint }: { readonly hint: string }): JSX.Element {
  return <code class="soft">ars_{hint}…</code>;
}

interface LiveKeysProps {
  readonly keys: readonly CountedApiKey[];
  /** Requests a month for each key. */
  readonly monthlyQuota: number;
  readonly now: Date;
}

/** The live keys with their requests and the quota. */
export function LiveKeys({ keys, monthlyQuota, now }: LiveKeysProps): JSX.Element {
  return (
    <table class="stack">
      <caption class="hide">Your keys</caption>
      <TableHead
        columns={[['Name'], ['Used this month'], ['Last used'], ['Expires'], [<span class="hide">Revoke</span>]]}
      />
      <tbody>
        {keys.map((key) => (
          <LiveKey key={key.id} {...{ apiKey: key, monthlyQuota, now }} />
        ))}
      </tbody>
    </table>
  );
}

interface LiveKeyProps {
  readonly apiKey: CountedApiKey;
  readonly monthlyQuota: number;
  readonly now: Date;
}

function LiveKey({ apiKey: key, monthlyQuota, now }: LiveKeyProps): JSX.Element {
  return (
    <tr>
      <th scope="row">
        {key.name}
        <br />
        <KeyHint hint={key.hint} />
      </th>
      <td class="num" data-label="Used this month">
        <b>{formatCount(key.usedThisMonth)}</b> <span class="soft small">of {formatCount(monthlyQuota)}</span>
        <UseBar used={key.usedThisMonth} max={monthlyQuota} />
      </td>
      <td class="soft small" data-label="Last used">
        {key.lastUsedAt === null ? 'never' : <Time at={key.lastUsedAt} now={now} />}
      </td>
      <td class="soft small" data-label="Expires">
        {key.expiresAt === null ? 'never' : `${formatMoment(key.expiresAt, now.toISOString())} UTC`}
      </td>
      <td class="c-revoke">
        <Fold
          title={
            <>
              Revoke<span class="hide"> the key {key.name}</span>
            </>
          }
        >
          <p class="small">Requests with this key will be refused at once. This cannot be undone.</p>
          <ActionButton action={`/keys/${key.id}/revoke`} kind="danger">
            Revoke key
          </ActionButton>
        </Fold>
      </td>
    </tr>
  );
}

/** Number of ended keys that are shown, to explain refused requests. */
const ENDED_SHOWN_MAX = 20;

/** The latest revoked and expired keys. */
export function EndedKeys({ keys, now }: Omit<LiveKeysProps, 'monthlyQuota'>): JSX.Element {
  const shown = [...keys].sort((a, b) => endOf(b).localeCompare(endOf(a))).slice(0, ENDED_SHOWN_MAX);
  return (
    <Group title="Ended" meaning="requests with these are refused">
      <Fold title={`Revoked and expired keys (${formatCount(keys.length)})`}>
        {keys.length > shown.length && <p>These are the last {shown.length}.</p>}
        <ul>
          {shown.map((key) => (
            <li key={key.id}>
              {key.name} <KeyHint hint={key.hint} />
              <br />
              <span class="soft small">
                {key.state} on {formatMoment(endOf(key), now.toISOString())} UTC, {formatCount(key.usedThisMonth)} this
                month,{' '}
                {key.lastUsedAt === null ? (
                  'never used'
                ) : (
                  <>
                    last used <Time at={key.lastUsedAt} now={now} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      </Fold>
    </Group>
  );
}

/** The time at which a key ended or will end. */
function endOf({ state, revokedAt, expiresAt }: CountedApiKey): string {
  return (state === 'revoked' ? revokedAt : expiresAt) ?? '';
}
