import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { usedRuns } from '../../support/daily-runs.js';
import { send } from '../../support/http-client.js';
import { readStoredRuns } from '../../support/stored-runs.js';

export interface Question {
  readonly op: 'start' | 'latest' | 'byNumber';
  readonly keyId: string;
  readonly key: string;
  readonly siteId: string;
  /** The run number; 0 is invalid. */
  readonly number?: number;
}

/** A question and its answer, with times of the monotonic clock. */
export interface Call extends Question {
  readonly beganMs: number;
  readonly endedMs: number;
  /** 0 if no complete answer came. */
  readonly status: number;
  /** How the connection ended without a complete answer. `cut`: in the middle of one. */
  readonly broken: 'not connected' | 'without an answer' | 'cut' | null;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly code: string | null;
}

/** A change by an owner or operator. One that failed may have happened or not. */
export interface Change {
  readonly kind: 'revoked' | 'removed' | 'plan';
  /** Id of the key, site or account. */
  readonly id: string;
  readonly plan?: string;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly isSure: boolean;
}

/** Records what clients saw. */
export class History {
  readonly calls: Call[] = [];
  readonly changes: Change[] = [];

  async ask(port: number, question: Question): Promise<Call> {
    const beganMs = performance.now();
    const answer = await exchange(port, question);
    const call = { ...question, beganMs, endedMs: performance.now(), ...answer, code: codeOf(answer) };
    this.calls.push(call);
    return call;
  }

  /** Records a change with its times. Rejects if the change does. */
  async change<T>(what: Pick<Change, 'kind' | 'id' | 'plan'>, make: () => Promise<T>): Promise<T> {
    const beganMs = performance.now();
    let isSure = false;
    try {
      const made = await make();
      isSure = true;
      return made;
    } finally {
      this.changes.push({ ...what, beganMs, endedMs: performance.now(), isSure });
    }
  }

  changesOf(kind: Change['kind']): Change[] {
    return this.changes.filter((change) => change.kind === kind).sort((a, b) => a.endedMs - b.endedMs);
  }
}

type Answer = Pick<Call, 'status' | 'broken' | 'headers' | 'text'>;

async function exchange(port: number, { op, key, siteId, number = 0 }: Question): Promise<Answer> {
  const path = `/api/v1/sites/${siteId}/runs${{ start: '', latest: '/latest', byNumber: `/${number}` }[op]}`;
  const method = op === 'start' ? 'POST' : 'GET';
  try {
    return { ...(await send(port, path, { method, headers: { authorization: `Bearer ${key}` } })), broken: null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const broken = code === 'ECONNREFUSED' ? 'not connected' : message === 'aborted' ? 'cut' : 'without an answer';
    return { status: 0, broken, headers: {}, text: '' };
  }
}

function codeOf({ status, text }: Answer): string | null {
  if (status < 400) return null;
  try {
    return (JSON.parse(text) as { error: { code: string } }).error.code;
  } catch {
    return 'no error body';
  }
}

export type Stored = Awaited<ReturnType<typeof readStored>>;

const selectSites = defineQuery<{ id: string; account_id: string; hostname: string; run_counter: number }>((sql) =>
  sql('sites').select('id', 'account_id', 'hostname', 'run_counter'),
);
const selectUsage = defineQuery<{ key_id: string; month: string; used: number }>((sql) =>
  sql('key_usage').select('key_id', 'month', 'used').where('used', '>', 0),
);
/** Jobs of upkeep are always queued. */
const countQueued = defineQuery<{ count: number }>((sql) =>
  sql('jobs').whereNot({ queue: 'upkeep' }).count({ count: '*' }),
);

export async function readStored(db: Database) {
  const sites = await db.run(selectSites({}));
  const budgets = await Promise.all(
    sites.map(async (site) => (await usedRuns(db, site)).map((budget) => ({ site_id: site.id, ...budget }))),
  );
  const [queued] = await db.run(countQueued({}));
  const [runs, usage] = [await readStoredRuns(db), await db.run(selectUsage({}))];
  return { runs, sites, budgets: budgets.flat(), usage, queued: queued?.count ?? 0 };
}
