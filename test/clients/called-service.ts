import { createServer } from 'node:http';
import type { Test } from 'tap';
import type { Database } from '../../src/store/database.js';
import { addAccount, addKey, addSite, scanReport } from '../support/accounts.js';
import { onSqlite } from '../support/databases.js';
import { send } from '../support/http-client.js';
import { listen } from '../support/servers.js';
import { startLiveApi } from '../support/api.js';
import { findTools, type Place, type Tools } from './tools.js';

type Service = Awaited<ReturnType<typeof startCalledService>>;

/** Runs a test with external tools and a live service. Its sites and keys are environment variables. */
export function testWithService(
  name: string,
  tools: Tools,
  act: (t: Test, place: Place, service: Service) => Promise<void>,
): void {
  onSqlite(async (t, engine) => {
    await t.test(name, async (t) => {
      const place = await findTools(t, tools);
      if (!place) return;
      const service = await startCalledService(t, await engine.openDb(t));
      await act(t, { ...place, env: { ...place.env, ...service } }, service);
    });
  });
}

/** Starts an API with a site for each answer. @returns environment variables */
async function startCalledService(t: Test, db: Database) {
  let score: number | null = 100;
  const api = await startLiveApi(t, db, null, () => Promise.resolve(scanReport(score)));
  const [account, other, free] = [await addAccount(db), await addAccount(db), await addAccount(db, 'FREE')];
  const key = await addKey(db, account.id);
  const site = async (accountId: string, hostname: string, isVerified = true): Promise<string> =>
    (await addSite(db, accountId, { hostname, isVerified })).id;
  const env = {
    BASE_URL: `http://127.0.0.1:${api.port}`,
    /** The same API, with a check in every answer that no client knows. */
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
    api.send(`/api/v1/sites/${siteId}/runs`, { method: 'POST', headers: { Authorization: `Bearer ${key}` } });
  for (let runs = 0; runs < 5; runs += 1) await run(env.SPENT_SITE_ID);
  score = null;
  await run(env.UNSCORED_SITE_ID);
  score = 100;
  return env;
}

/** Starts a proxy that gives each finding the check of a later version. */
async function startLaterVersion(t: Test, port: number): Promise<string> {
  const server = createServer((incoming, response) => {
    const { method = 'GET', url = '', headers } = incoming;
    void send(port, url, { method, headers: { authorization: headers.authorization ?? '' } }).then((answer) => {
      const { 'content-length': _, ...rest } = answer.headers;
      response.writeHead(answer.status, rest);
      response.end(answer.text.replaceAll(/"checkId":"[^"]*"/g, '"checkId":"C-LATER-01"'));
    });
  });
  const listening = await listen(server);
  t.teardown(() => listening.close());
  return `http://127.0.0.1:${listening.port}`;
}
