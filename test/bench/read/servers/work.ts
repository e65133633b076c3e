import { createHash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { chargeKey } from '../../../../src/app/keys/charge.js';
import { findRuns } from '../../../../src/app/runs/run-reads.js';
import { unpackBody } from '../../../../src/app/runs/run-bodies.js';
import { joinQueries, type Query } from '../../../../src/store/query.js';
import { sqlitePath } from '../../../../src/store/sqlite.js';

/** A refusal with its status. */
export class Refusal extends Error {
  constructor(readonly status: number) {
    super(String(status));
  }
}

export interface Admitted {
  readonly accountId: string;
  readonly limit: number;
  readonly used: number;
}

/** The work behind a read, by the product's own statements and the bare drivers: what differs between servers is all above it. */
export interface Work {
  /** One prepared select by primary key, without a key or a quota. */
  select(siteId: string, number: number | 'latest'): Promise<Body> | Body;
  /** Key, plan, quota and the run: on PostgreSQL by one statement. @throws Refusal */
  read(authorization: string | undefined, siteId: string, number: number | 'latest'): Promise<Body & Admitted>;
}

interface Body {
  readonly body: Uint8Array;
  readonly etag: string;
}

const QUOTA = 1_000_000_000;
const QUOTAS = { FREE: 0, MONITOR: QUOTA, SCALE: QUOTA };
const MONTH = new Date().toISOString().slice(0, 7);

export function openWork(url: string): Work {
  const { run, select } = url.startsWith('sqlite:') ? openSqlite(url) : openPostgres(url);
  return {
    select: async (siteId, number) => {
      const { body, etag } = await select(siteId, number);
      return { body: unpackBody(body), etag };
    },
    async read(authorization, siteId, number) {
      const [, key] = /^Bearer (ars_\w{36})$/i.exec(authorization ?? '') ?? [];
      if (key === undefined) throw new Refusal(401);
      const digest = createHash('sha256').update(key).digest('hex');
      const charge = chargeKey({ digest, month: MONTH, now: `${MONTH}-01`, ...QUOTAS, count: 1 });
      const asked = { asked: 0, site_id: siteId, number: number === 'latest' ? '' : number, etag: '' };
      const find = findRuns({ runs: JSON.stringify([asked]) });
      const row = url.startsWith('sqlite:')
        ? { ...(await run(charge))[0], ...(await run(find))[0] }
        : (await run(joinQueries(charge, find)))[0];
      const { account_id: accountId, used, owner_id, body, etag } = row ?? {};
      if (accountId === undefined || used === undefined) throw new Refusal(401);
      if (owner_id !== accountId) throw new Refusal(403);
      if (!body || !etag) throw new Refusal(404);
      return { accountId, limit: QUOTA, used, body: unpackBody(body), etag };
    },
  };
}

interface Driver {
  readonly run: <Row>(query: Query<Row>) => Promise<readonly Row[]>;
  readonly select: (siteId: string, number: number | 'latest') => Promise<Body> | Body;
}

const SELECT = 'SELECT number, body, etag FROM runs WHERE site_id = ? AND number = ?';
const SELECT_LATEST = 'SELECT number, body, etag FROM runs WHERE site_id = ? ORDER BY number DESC LIMIT 1';

function openSqlite(url: string): Driver {
  const db = new Sqlite(sqlitePath(url), { fileMustExist: true });
  db.pragma('synchronous = NORMAL');
  const prepared = new Map<string, Sqlite.Statement<unknown[]>>();
  const [byNumber, latest] = [db.prepare<unknown[]>(SELECT), db.prepare<unknown[]>(SELECT_LATEST)];
  return {
    run: async <Row>({ statement, params }: Query<Row>) => {
      const text = statement.sqlFor('sqlite');
      const ready = prepared.get(text) ?? db.prepare<unknown[]>(text);
      prepared.set(text, ready);
      return ready.all(...statement.bind('sqlite', params)) as Row[];
    },
    select: (siteId, number) => (number === 'latest' ? latest.get(siteId) : byNumber.get(siteId, number)) as Body,
  };
}

/** PostgreSQL numbers its placeholders. */
function numbered(text: string): string {
  let count = 0;
  return text.replace(/\?/g, () => `$${(count += 1)}`);
}

function openPostgres(url: string): Driver {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const names = new Map<string, string>();
  return {
    run: async <Row>({ statement, params }: Query<Row>) => {
      const text = statement.sqlFor('postgres');
      const name = names.get(text) ?? `s${names.size}`;
      names.set(text, name);
      return (await pool.query({ name, text, values: statement.bind('postgres', params) })).rows as Row[];
    },
    select: async (siteId, number) => {
      const [name, text, values] =
        number === 'latest' ? ['latest', SELECT_LATEST, [siteId]] : ['number', SELECT, [siteId, number]];
      return (await pool.query({ name, text: numbered(text), values })).rows[0] as Body;
    },
  };
}
