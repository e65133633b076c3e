/** `node:http` and one prepared select by the bare driver: the least that a read costs. No key, no quota, no log, nothing validated. */
import { createServer } from 'node:http';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { unpackBody } from '../../../src/app/runs/run-bodies.js';
import { sqlitePath } from '../../../src/store/sqlite.js';

const { DATABASE_URL: url = '', PORT } = process.env;
const PATH = /^\/api\/v1\/sites\/([^/]+)\/runs\/(\d+)$/;

const select = url.startsWith('sqlite:') ? openSqlite() : openPostgres();

function openSqlite() {
  const statement = new Sqlite(sqlitePath(url)).prepare('SELECT body FROM runs WHERE site_id = ? AND number = ?');
  return async (...key: [string, number]) => statement.get(...key);
}

function openPostgres() {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const text = 'SELECT body FROM runs WHERE site_id = $1 AND number = $2';
  return async (...values: [string, number]) => (await pool.query({ name: 'run', text, values })).rows[0] as unknown;
}

createServer((request, response) => {
  const [, siteId = '', number = ''] = PATH.exec(request.url ?? '') ?? [];
  void select(siteId, Number(number)).then((row) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(unpackBody((row as { body: Uint8Array }).body));
  });
}).listen(Number(PORT), '127.0.0.1', () => console.log('listening'));
