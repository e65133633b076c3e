import type { CountedApiKey } from '../../app/keys/keys.js';
import { formatCount } from '../../scanner/artifacts/counts.js';
import { ActionButton, Fold } from '../html/sections.js';
import { Table, UseBar } from '../html/table.js';
import { Moment, Time } from '../html/text.js';

/** Number of ended keys that are shown, to explain refused requests. */
const ENDED_SHOWN_MAX = 20;

interface KeyTableProps {
  readonly keys: readonly CountedApiKey[];
  readonly monthlyQuota: number;
}

/** The live keys with their requests and the quota, then the last revoked and expired ones. */
export function KeyTable({ keys, monthlyQuota }: KeyTableProps) {
  const { live = [], ended = [] } = Object.groupBy(keys, ({ state }) => (state === 'live' ? state : 'ended'));
  const lastEnded = ended.toSorted((a, b) => endOf(b).localeCompare(endOf(a))).slice(0, ENDED_SHOWN_MAX);
  const groups = [{ rows: live }, { title: 'Ended: requests with these are refused', rows: lastEnded }];
  return (
    <Table
      kind="stack"
      caption="Your keys"
      groups={groups.filter(({ rows }) => rows.length > 0)}
      columns={[
        {
          title: 'Name',
          isName: true,
          cell: ({ name, hint }) => (
            <>
              {name}
              <br />
              <code class="soft">ars_{hint}…</code>
            </>
          ),
        },
        {
          title: 'Used this month',
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
          kind: 'soft small',
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />),
        },
        {
          title: 'Expires',
          kind: 'soft small',
          cell: (key) => (
            <>
              {key.state !== 'live' && `${key.state} `}
              {endOf(key) === '' ? 'never' : <Moment at={endOf(key)} />}
              {endOf(key) !== '' && ' UTC'}
            </>
          ),
        },
        {
          title: <span class="hide">Revoke</span>,
          cell: (key) => key.state === 'live' && <Revoke apiKey={key} />,
        },
      ]}
    />
  );
}

/** Returns when a key ended or will end; empty for never. */
function endOf({ state, revokedAt, expiresAt }: CountedApiKey): string {
  return (state === 'revoked' ? revokedAt : expiresAt) ?? '';
}

function Revoke({ apiKey: { id, name } }: { readonly apiKey: CountedApiKey }) {
  const title = (
    <>
      Revoke<span class="hide"> the key {name}</span>
    </>
  );
  return (
    <Fold title={title}>
      <p class="small">Requests with this key will be refused at once. This cannot be undone.</p>
      <ActionButton action={`/keys/${id}/revoke`} kind="danger" label="Revoke key" />
    </Fold>
  );
}
