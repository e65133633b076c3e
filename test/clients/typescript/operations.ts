/** Does every operation of the API by openapi-fetch with the generated types, and prints a line for each. */
import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';

const siteId = env('SITE_ID');

function clientWith(key: string, baseUrl = env('BASE_URL')) {
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
}

const client = clientWith(env('API_KEY'));
const create = (siteId: string, header = {}) =>
  client.POST('/api/v1/sites/{siteId}/runs', { params: { path: { siteId }, header } });
const readLatest = (siteId: string, by = client, header = {}) =>
  by.GET('/api/v1/sites/{siteId}/runs/latest', { params: { path: { siteId }, header } });
const read = (number: number) =>
  client.GET('/api/v1/sites/{siteId}/runs/{number}', { params: { path: { siteId, number } } });

const created = await create(siteId);
const { trigger, number, score } = runOf(created);
say('created', created, { trigger, number, score });
for (const call of ['begun', 'replayed']) {
  const begun = await create(siteId, { 'Idempotency-Key': 'build-1' });
  const replayed = begun.response.headers.get('Idempotent-Replayed') === 'true';
  say(call, begun, { number: runOf(begun).number, replayed });
}
const latest = await readLatest(siteId);
say('latest', latest, { number: runOf(latest).number });
const past = await read(1);
say('past', past, { number: runOf(past).number });
const unscored = await readLatest(env('UNSCORED_SITE_ID'));
say('unscored', unscored, { score: runOf(unscored).score });
const description = await createClient<paths>({ baseUrl: env('BASE_URL') }).GET('/api/v1/openapi.json');
say('document', description, { openapi: description.data?.openapi });

refused('invalid', await read(0));
refused('unknownKey', await readLatest(siteId, clientWith('ars_unknown')));
refused('plan', await readLatest(siteId, clientWith(env('FREE_API_KEY'))));
refused('foreign', await readLatest(env('FOREIGN_SITE_ID')));
refused('absent', await read(99));
refused('unverified', await create(env('UNVERIFIED_SITE_ID')));
refused('spent', await create(env('SPENT_SITE_ID')));
const unchanged = await readLatest(siteId, client, { 'If-None-Match': latest.response.headers.get('ETag') });
say('unchanged', unchanged, {});

const later = await readLatest(siteId, clientWith(env('API_KEY'), env('LATER_URL')));
console.log(JSON.stringify({ call: 'later', isRead: later.data?.findings.length === 1 }));

interface Answer<Data> {
  readonly data?: Data | undefined;
  readonly error?: { readonly error: { readonly code: string } } | undefined;
  readonly response?: Response | undefined;
}

interface Run {
  readonly number: number;
  readonly score: number | null;
  readonly trigger: 'MANUAL' | 'SCHEDULED' | 'POST_DEPLOY' | 'API';
}

function env(name: string): string {
  return process.env[name] ?? '';
}

function say(call: string, { response }: Answer<unknown>, read: object): void {
  console.log(JSON.stringify({ call, status: response?.status, ...read }));
}

function runOf({ data }: Answer<{ readonly run: Run }>): Run {
  if (!data) throw new Error('no run');
  return data.run;
}

function refused(call: string, answer: Answer<unknown>): void {
  if (!answer.error) throw new Error(`${call} is not refused`);
  say(call, answer, { code: answer.error.error.code });
}
