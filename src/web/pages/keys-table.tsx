import type { JSX } from 'preact';
import type { CountedApiKey } from '../../app/keys/keys.js';
import { formatCount } from '../../scanner/artifacts/counts.js';
import { ActionButton } from '../html/form.js';
import { Fold } from '../html/fold.js';
import { formatMoment } from '../html/format.js';
import { Group } from '../html/page-header.js';
import { Table } from '../html/table.js';
import { Time } from '../html/text.js';
import { UseBar } from '../html/use-bar.js';

interface LiveKeysProps {
  readonly keys: readonly CountedApiKey[];
  /** Requests a month for each key. */
  readonly monthlyQuota: number;
  readonly now: Date;
}

/** The live keys with their requests and the quota. */
export function LiveKeys({ keys, monthlyQuota, now }: LiveKeysProps): JSX.Element {
  return (
    <Table
      kind="stack"
      caption="Your keys"
      keyOf={({ id }) => id}
      groups={[{ rows: keys }]}
      columns={[
        {
          title: 'Name',
          isName: true,
          cell: ({ name, hint }: CountedApiKey) => (
            <>
              {name}
              <br />
              <code class="soft">ars_{hint}…</code>
            </>
          ),
        },
        {
          title: 'Used this month',
          label: 'Used this month',
          kind: 'num',
          cell: ({ usedThisMonth }) => (
            <>
              <b>{formatCount(usedThisMonth)}</b> <span class="soft small">of {formatCount(monthlyQuota)}</span>
              <UseBar used={usedThisMonth} max={monthlyQuota} />
            </>
          ),
        },
        {
          title: 'Last used',
          label: 'Last used',
          kind: 'soft small',
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} now={now} />),
        },
        {
          title: 'Expires',
          label: 'Expires',
          kind: 'soft small',
          cell: ({ expiresAt }) => (expiresAt === null ? 'never' : `${formatMoment(expiresAt, now.toISOString())} UTC`),
        },
        {
          title: <span class="hide">Revoke</span>,
          kind: 'c-revoke',
          cell: ({ id, name }) => <Revoke id={id} name={name} />,
        },
      ]}
    />
  );
}

function Revoke({ id, name }: Pick<CountedApiKey, 'id' | 'name'>): JSX.Element {
  const title = (
    <>
      Revoke<span class="hide"> the key {name}</span>
    </>
  );
  return (
    <Fold title={title}>
      <p class="small">Requests with this key will be refused at once. This cannot be undone.</p>
      <ActionButton action={`/keys/${id}/revoke`} kind="danger">
        Revoke key
      </ActionButton>
    </Fold>
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
              {key.name} <code class="soft">ars_{key.hint}…</code>
              <br />
              <span class="soft small">
                {key.state} on {formatMoment(endOf(key), now.toISOString())} UTC, {formatCount(key.usedThisMonth)} this
                month
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
