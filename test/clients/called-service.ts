import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { Database } from '../../src/store/database.js';
import { addAccount, addKey, addSite, scanReport } from '../support/accounts.js';
import { send } from '../support/http-client.js';
import { startLiveApi } from '../support/live-api.js';

/** What the program of a recipe prints, a line of JSON for each call: the status, and what its client read of the answer. */
const LINES = [
  { call: 'created', status: 201, trigger: 'API', number: 1, score: 100 },
  { call: 'begun', status: 201, number: 2, replayed: false },
  { call: 'replayed', status: 201, number: 2, replayed: true },
  { call: 'latest', status: 200, number: 2 },
  { call: 'past', status: 200, number: 1 },
  { call: 'unscored', status: 200, score: null },
  { call: 'document', status: 200, openapi: '3.1.0' },
  { call: 'invalid', status: 400, code: 'invalid_run_number' },
  { call: 'unknownKey', status: 401, code: 'invalid_api_key' },
  { call: 'plan', status: 403, code: 'plan_without_api' },
  { call: 'foreign', status: 403, code: 'site_not_owned' },
  { call: 'absent', status: 404, code: 'run_not_found' },
  { call: 'unverified', status: 409, code: 'domain_not_verified' },
  { call: 'spent', status: 429, code: 'daily_runs_exceeded' },
  { call: 'unchanged', status: 304 },
];

/** The same with the answer that names a check which the client's document does not have. */
export function expectedLines(readsUnknownCheck: boolean): readonly object[] {
  return [...LINES, { call: 'later', isRead: readsUnknownCheck }];
}

/** An API with a site for each answer, and what the programs of a recipe find in their environment. */
export async function startCalledService(t: Test, db: Database) {
  let score: number | null = 100;
  const api = await startLiveApi(t, db, null, () => Promise.resolve(scanReport(score)));
  const [account, other, free] = [await addAccount(db), await addAccount(db), await addAccount(db, 'FREE')];
  const key = await addKey(db, account.id);
  const site = async (accountId: string, hostname: string, isVerified = true): Promise<string> =>
    (await addSite(db, accountId, { hostname, isVerified })).id;
  const env = {
    BASE_URL: `http://127.0.0.1:${api.port}`,
    /** The same, where every answer names a check that nobody knows. */
    LATER_URL: await startLaterVersion(t, api.port),
    API_KEY: key,
    FREE_API_KEY: await addKey(db, free.id),
    SITE_ID: await site(account.id, 'shop.example.com'),
    FIRST_SITE_ID: await site(account.id, 'first.example.com'),
    UNSCORED_SITE_ID: await site(account.id, 'down.example.com'),
    UNVERIFIED_SITE_ID: await site(account.id, 'new.example.com', false),
    SPENT_SITE_ID: await site(account.id, 'busy.example.com'),
    FOREIGN_SITE_ID: await site(other.id, 'other.example.com'),
  };
  const run = (siteId: string) =>
    send(api.port, `/api/v1/sites/${siteId}/runs`, { method: 'POST', headers: { Authorization: `Bearer ${key}` } });
  for (let runs = 0; runs < 5; runs += 1) await run(env.SPENT_SITE_ID);
  score = null;
  await run(env.UNSCORED_SITE_ID);
  score = 100;
  return env;
}

/** A proxy in front of the API that gives each finding the check of a later version. */
async function startLaterVersion(t: Test, port: number): Promise<string> {
  const server = createServer((incoming, response) => {
    const { method = 'GET', url = '', headers } = incoming;
    void send(port, url, { method, headers: { authorization: headers.authorization ?? '' } }).then((answer) => {
      const { 'content-length': _, ...rest } = answer.headers;
      response.writeHead(answer.status, rest);
      response.end(answer.text.replaceAll(/"checkId":"[^"]*"/g, '"checkId":"C-LATER-01"'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
