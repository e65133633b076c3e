import { bodyOf } from '../../src/net/transport.js';
import type { Overlay } from '../../src/scanner/client/stand-in.js';
import { type ExampleAnswer, type ExampleAnswers, typeByExtension } from '../../src/scanner/report/examples.js';
import { tryOverlay } from '../../src/scanner/scan/recorded-scan.js';
import {
  FIXTURE_ORIGIN,
  type FixtureAnswer,
  type FixtureRequest,
  type FixtureRoute,
  type FixtureSite,
  FixtureTransport,
} from './fixture-site.js';
import { GOLDEN_NOW } from './golden.js';

/** Files by path: text, or text with its type; and header fields for paths. */
export function overlayOf(
  files: Readonly<Record<string, string | { readonly body: string; readonly type: string }>>,
  fields: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {},
): Overlay {
  return {
    fileAt: (path) => {
      const file = files[path];
      if (file === undefined) return null;
      const { body, type } = typeof file === 'string' ? { body: file, type: typeByExtension(path) } : file;
      return { body: bodyOf(Buffer.from(body)), type };
    },
    fieldsFor: (path) => Object.entries(fields[path] ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  };
}

/** Tries an overlay. `asked` are the requests of the second scan. */
export async function tryAt(site: FixtureSite, overlay: Overlay) {
  const transport = new FixtureTransport(site);
  const options = {
    target: { origin: new URL(site.origin ?? FIXTURE_ORIGIN), isOwnershipVerified: true },
    transport,
    pause: async () => undefined,
  };
  const deps = { clock: { now: () => GOLDEN_NOW }, overlay };
  const trial = await tryOverlay(options, deps);
  return { ...trial, asked: transport.requests.slice(trial.before.requestCount).map(({ url }) => url) };
}

/** Returns the answers as an overlay. Null if files and header fields are not enough. */
export function filesOf(answers: ExampleAnswers): Overlay | null {
  const files: Record<string, { body: string; type: string }> = {};
  const fields: Record<string, Record<string, string>> = {};
  for (const [path, given] of Object.entries(answers)) {
    const answer = typeof given === 'string' ? { body: given } : given;
    const { status = 200, type = typeByExtension(path), headers = {}, body = '', failure, instead } = answer;
    const isFile = path.startsWith('/') && !path.includes('?') && status === 200 && type !== null;
    if (!isFile || failure !== undefined || instead !== undefined || typeof body !== 'string') return null;
    files[path] = { body, type };
    fields[path] = { ...headers };
  }
  return overlayOf(files, fields);
}

const PAGE = '<!doctype html><title>Page</title><p>A page';
const HOME = '<!doctype html><title>Shop</title><body><a href="/start">Start</a>';

/** Returns a site with the answers of an example and the pages that all examples have. */
export function exampleSite(answers: ExampleAnswers): FixtureSite {
  const routes = Object.entries(answers).map(([address, answer]): [string, FixtureRoute] => [
    address,
    typeof answer === 'string' ? answer : (request) => answerTo(request, answer),
  ]);
  return { origin: 'https://www.example.com', routes: { '/': HOME, '/start': PAGE, ...Object.fromEntries(routes) } };
}

function answerTo(request: FixtureRequest, { instead, body = '', ...rest }: ExampleAnswer): FixtureAnswer {
  if (instead !== undefined && isFor(request, instead.to)) return answerTo(request, instead.answer);
  if (typeof body === 'string') return { ...rest, body };
  const { before, line, times, after } = body;
  return { ...rest, body: `${before}${`${line}\n`.repeat(times)}${after}` };
}

function isFor({ headers }: FixtureRequest, to: NonNullable<ExampleAnswer['instead']>['to']): boolean {
  const { accept = '', 'user-agent': agent = '' } = headers;
  return 'mediaType' in to
    ? accept.startsWith(to.mediaType)
    : to.names.some((name) => agent.toLowerCase().includes(name.toLowerCase()));
}
