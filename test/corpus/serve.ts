/** Serves the corpus on loopback: see README.md. Uses nothing but Node. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { answersOf, type CorpusAnswer, type CorpusCase, sentAnswer } from './case.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.xml': 'application/xml',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
};
const HTML = 'text/html; charset=utf-8';

const { values } = parseArgs({
  options: { case: { type: 'string' }, port: { type: 'string', default: '8099' }, list: { type: 'boolean' } },
});
const folder = join(import.meta.dirname, 'cases');
const cases = readdirSync(folder).flatMap(
  (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as CorpusCase[],
);

if (values.list) console.log(JSON.stringify(cases.map(describe), null, 2));
else if (values.case !== undefined && !cases.some(({ id }) => id === values.case)) {
  console.error(`There is no case "${values.case}". --list names them all.`);
  process.exitCode = 2;
} else serve(Number(values.port));

function describe({ id, shows, answers, expect, notes = [] }: CorpusCase): object {
  const hosts = new Set(Object.keys(answers).flatMap((key) => (URL.canParse(key) ? [new URL(key).host] : [])));
  return { id, shows, expect, notes, otherHosts: [...hosts] };
}

/** What a case answers at a URL: with the query or without, on another host, and last what stands for everything else. */
function findAnswer(own: CorpusCase, host: string, url: string): CorpusAnswer | undefined {
  const answers = answersOf(own);
  const paths = [url, url.replace(/\?.*/s, '')];
  const elsewhere = Object.keys(answers).some((key) => URL.canParse(key) && new URL(key).host === host);
  const keys = elsewhere
    ? [...paths, '/*'].flatMap((path) => [`https://${host}${path}`, `http://${host}${path}`])
    : [...paths, '*'];
  return answers[keys.find((key) => key in answers) ?? ''];
}

function serve(port: number): void {
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const host = headers.host ?? '';
    const own = cases.find(({ id }) => id === (values.case ?? host.split('.')[0]));
    const given = own && findAnswer(own, host, url);
    if (given === undefined) {
      response
        .writeHead(404, { 'content-type': HTML })
        .end('<!doctype html><title>Not found</title><h1>Not found</h1>');
      return;
    }
    const sent = sentAnswer(given, { method, accept: headers.accept }, `http://${host}`);
    const type = sent.type === undefined ? (TYPES[extname(url.replace(/\?.*/s, ''))] ?? HTML) : sent.type;
    response.writeHead(sent.status, { ...(type !== null && { 'content-type': type }), ...sent.headers }).end(sent.body);
  });
  server.listen(port, '127.0.0.1', () => {
    const { port: opened } = server.address() as { port: number };
    console.log(`http://${values.case === undefined ? '<case>.localhost' : '127.0.0.1'}:${opened}/`);
  });
}
