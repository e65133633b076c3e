import { isUtf8 } from 'node:buffer';
import { controlNames } from '../../src/scanner/probe/control.js';
import { replayScan } from '../../src/scanner/scan/recorded-scan.js';
import type { HarEntry, HarResponse, Recording } from '../../src/scanner/trace/recording.js';
import { verdictsOf } from '../accuracy/own-rows.js';
import { toFixtureSite } from '../support/corpus.js';
import { FIXTURE_ORIGIN } from '../support/fixture-site.js';
import { scanFixture } from '../support/golden.js';
import type { CorpusAnswer, CorpusCase } from './case.js';

type Answer = Exclude<CorpusAnswer, string | readonly string[]>;
type Answers = Record<string, { -readonly [K in keyof Answer]: Answer[K] }>;

/** The result of a check on the recorded site, and on the case. */
export interface Comparison {
  readonly checkId: string;
  readonly before: string;
  readonly after: string;
}

const FIXTURE_HOST = new URL(FIXTURE_ORIGIN).hostname;
const FIXTURE_DOMAIN = FIXTURE_HOST.replace('www.', '');
/** Header fields of the bytes and of the connection. */
const DROPPED = /^(content-(length|encoding|md5|type)|transfer-encoding|connection|keep-alive|date|etag|set-cookie)$/i;
const CONTROL_KINDS = ['txt', 'xml', 'json', 'well-known', 'page'];

/** Makes a case of a recorded site under the host of the fixtures. `expect` has the results that the case shares with the site. */
export async function makeCase(
  recording: Recording,
  id: string,
): Promise<{ corpusCase: CorpusCase; rows: Comparison[] }> {
  const made = { id, shows: 'Say here in a sentence which rule this case shows.', answers: answersOf(recording) };
  const before = verdictsOf((await replayScan(recording)).report);
  const after = verdictsOf(await scanFixture(toFixtureSite({ ...made, expect: {} })));
  const rows = [...before].map(([checkId, result]) => ({ checkId, before: result, after: after.get(checkId) ?? '' }));
  const same = rows.filter((row) => row.before === row.after).map((row) => [row.checkId, row.after]);
  return { corpusCase: { ...made, expect: Object.fromEntries(same) as CorpusCase['expect'] }, rows };
}

/** Answers cannot fail in the corpus, so failed exchanges are left out. */
function answersOf({ run, entries }: Recording): Answers {
  const nameOf = controlNames(run.controlSeed);
  const origins = [...new Set(entries.map(({ request }) => new URL(request.url).origin))];
  const controls = origins.flatMap((origin) => CONTROL_KINDS.map((kind) => nameOf(`${kind} ${origin}`)));
  const { hostname } = new URL(run.origin);
  const domain = hostname.replace(/^www\./, '');
  const rename = (text: string): string =>
    text
      .replaceAll(hostname, FIXTURE_HOST)
      .replaceAll(hostname === domain ? `www.${FIXTURE_HOST}` : domain, FIXTURE_DOMAIN);
  const answers: Answers = {};
  for (const { request, response } of entries.filter(({ response }) => response.status !== 0)) {
    const answer = answerOf(response, rename);
    if (controls.some((name) => request.url.includes(name))) {
      if (response.status !== 404) answers['*'] ??= answer;
    } else addAnswer(answers, new URL(rename(request.url)), request, answer);
  }
  if (!('*' in answers)) dropUsual(answers);
  return answers;
}

function answerOf({ status, headers, content }: HarResponse, rename: (text: string) => string): Answer {
  const fill = (text: string): string => rename(text).replaceAll(FIXTURE_ORIGIN, '{ORIGIN}');
  const bytes = Buffer.from(content.text, content.encoding ?? 'utf8');
  const sent = headers
    .filter(({ name }) => !DROPPED.test(name))
    .map(({ name, value }) => [name.toLowerCase(), fill(value)]);
  return {
    ...(status !== 200 && { status }),
    type: headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? null,
    ...(sent.length > 0 && { headers: Object.fromEntries(sent) as Record<string, string> }),
    ...(isUtf8(bytes)
      ? { body: fill(bytes.toString()) }
      : { body: fill(bytes.toString('latin1')), encoding: 'latin1' as const }),
  };
}

function addAnswer(answers: Answers, url: URL, { method, headers }: HarEntry['request'], answer: Answer): void {
  const key = url.origin === FIXTURE_ORIGIN ? url.pathname + url.search : url.href;
  const accept = headers.find(({ name }) => name === 'accept')?.value ?? '';
  const known = answers[key];
  if (known === undefined || (method === 'GET' && accept.startsWith('text/html')))
    answers[key] = { ...known, ...answer };
  else if (method === 'POST') known.method = { ...known.method, POST: answer };
  else if (known.body !== answer.body) known.accept = { ...known.accept, [accept]: answer };
}

/** A case answers 404 where it says nothing. */
function dropUsual(answers: Answers): void {
  for (const [key, { status, type, accept, method }] of Object.entries(answers)) {
    if (status === 404 && type?.startsWith('text/html') && !accept && !method && key.startsWith('/'))
      Reflect.deleteProperty(answers, key);
  }
}
