/** Does every operation of the API by the generated client, and prints a line for each. */
import { createClient, createConfig } from './readiness/client/index.ts';
import { env, refused, runOf, say } from './answers.ts';
import { createRun, description, getLatestRun, getRun } from './readiness/index.ts';

const siteId = env('SITE_ID');

function clientWith(key: string, baseUrl = env('BASE_URL')) {
  return createClient(createConfig({ baseUrl, auth: key }));
}

const client = clientWith(env('API_KEY'));
const path = { siteId };

const created = await createRun({ client, path });
const { trigger, number, score } = runOf(created);
say('created', created, { trigger, number, score });
for (const call of ['begun', 'replayed']) {
  const begun = await createRun({ client, path, headers: { 'Idempotency-Key': 'build-1' } });
  const replayed = begun.response?.headers.get('Idempotent-Replayed') === 'true';
  say(call, begun, { number: runOf(begun).number, replayed });
}
const latest = await getLatestRun({ client, path });
say('latest', latest, { number: runOf(latest).number });
const past = await getRun({ client, path: { siteId, number: 1 } });
say('past', past, { number: runOf(past).number });
const unscored = await getLatestRun({ client, path: { siteId: env('UNSCORED_SITE_ID') } });
say('unscored', unscored, { score: runOf(unscored).score });
const document = await description({ client: createClient(createConfig({ baseUrl: env('BASE_URL') })) });
say('document', document, { openapi: document.data?.openapi });

refused('invalid', await getRun({ client, path: { siteId, number: 0 } }));
refused('unknownKey', await getLatestRun({ client: clientWith('ars_unknown'), path }));
refused('plan', await getLatestRun({ client: clientWith(env('FREE_API_KEY')), path }));
refused('foreign', await getLatestRun({ client, path: { siteId: env('FOREIGN_SITE_ID') } }));
refused('absent', await getRun({ client, path: { siteId, number: 99 } }));
refused('unverified', await createRun({ client, path: { siteId: env('UNVERIFIED_SITE_ID') } }));
refused('spent', await createRun({ client, path: { siteId: env('SPENT_SITE_ID') } }));
const etag = latest.response?.headers.get('ETag') ?? '';
say('unchanged', await getLatestRun({ client, path, headers: { 'If-None-Match': etag } }), {});

const later = await getLatestRun({ client: clientWith(env('API_KEY'), env('LATER_URL')), path });
console.log(JSON.stringify({ call: 'later', isRead: later.data?.findings.length === 1 }));
