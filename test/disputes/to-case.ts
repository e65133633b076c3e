import { constants, gunzipSync } from 'node:zlib';
import { TransportError } from '../../src/net/transport.js';
import { decodeBody as undoCoding } from '../../src/net/content-coding.js';
import { controlNames } from '../../src/scanner/probe/control.js';
import { parseMediaType } from '../../src/scanner/parsers/media-type.js';
import { decodeBody } from '../../src/scanner/parsers/text.js';
import type { HarEntry, HarResponse, Recording } from '../../src/scanner/trace/recording.js';
import type { CorpusAnswer, CorpusCase } from '../corpus/case.js';
import { FIXTURE_ORIGIN } from '../support/fixture-site.js';
import { Hosts } from './hosts.js';
import { Placeholders } from './placeholders.js';
import type { KnownWords } from './vocabulary.js';

type Answer = Exclude<CorpusAnswer, string | readonly string[]>;
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Fields that speak of the bytes, which change. */
const ABOUT_BYTES = new Set(['content-type', 'content-length', 'content-encoding', 'content-md5', 'digest', 'etag']);

/** A file of the corpus is read by people. */
const BODY_BYTES_MAX = 8 * 1_048_576;

/** The name of the host, alongside which words are replaced. */
const HOST_WORDS = ['fixture', 'site'];

/** A recorded site as a case of the corpus, in which nothing is left of what it says. */
export async function toCase(recording: Recording, id: string, known: KnownWords): Promise<Omit<CorpusCase, 'expect'>> {
  const writer = new CaseWriter(recording, known);
  for (const entry of recording.entries) await writer.add(entry);
  writer.dropUsual();
  return { id, shows: 'Say here in a sentence which rule this case shows.', answers: writer.answers };
}

class CaseWriter {
  readonly #hosts: Hosts;
  readonly #placeholders: Placeholders;
  readonly #controls: RegExp;
  readonly answers: Record<string, Writable<Answer>> = {};

  constructor(
    { run, entries }: Recording,
    private readonly known: KnownWords,
  ) {
    this.#hosts = new Hosts(run.origin);
    this.#placeholders = new Placeholders({ words: new Set([...known.words, ...HOST_WORDS]) });
    const origins = [...new Set(entries.map(({ request }) => new URL(request.url).origin))];
    const shapes = ['txt', 'xml', 'json', 'well-known', 'page'];
    const nameOf = controlNames(run.controlSeed);
    const names = origins.flatMap((origin) => shapes.map((shape) => nameOf(`${shape} ${origin}`)));
    this.#controls = new RegExp(names.join('|'));
  }

  async add({ request, response }: HarEntry): Promise<void> {
    // An answer of the corpus cannot fail.
    if (response.status === 0) return;
    const url = new URL(this.#rewrite(request.url));
    const answer = await this.#answer(response);
    if (this.#controls.test(request.url)) {
      if (response.status !== 404) this.answers['*'] ??= answer;
      return;
    }
    const key = url.origin === FIXTURE_ORIGIN ? url.pathname + url.search : url.href;
    const accept = request.headers.find(({ name }) => name === 'accept')?.value;
    const isPlain = request.method === 'GET' && (accept ?? '').startsWith('text/html');
    const known = this.answers[key];
    if (known === undefined || isPlain) this.answers[key] = { ...known, ...answer };
    else if (isSame(known, answer)) return;
    else if (request.method === 'POST') known.method = { ...known.method, POST: answer };
    else if (accept !== undefined) known.accept = { ...known.accept, [accept]: answer };
  }

  /** Leaves out what a case answers without being told: 404, unless everything has another answer. */
  dropUsual(): void {
    if ('*' in this.answers) return;
    for (const [key, { status, type, accept, method }] of Object.entries(this.answers)) {
      const isUsual = status === 404 && type?.startsWith('text/html') && accept === undefined && method === undefined;
      if (isUsual && key.startsWith('/')) Reflect.deleteProperty(this.answers, key);
    }
  }

  async #answer({ status, headers, content }: HarResponse): Promise<Answer> {
    const allOf = (name: string): string[] =>
      headers.filter((field) => field.name.toLowerCase() === name).map(({ value }) => value);
    const type = allOf('content-type')[0] ?? null;
    const coding = content._isCoded ? (allOf('content-encoding')[0] ?? null) : null;
    const bytes = await decodedBytes(Buffer.from(content.text, content.encoding ?? 'utf8'), coding);
    const text = decodeBody(bytes, parseMediaType(type).charset);
    const names = new Set(headers.map(({ name }) => name.toLowerCase()));
    const kept = [...names].filter((name) => !ABOUT_BYTES.has(name) && this.known.strings.has(name));
    return {
      ...(status !== 200 && { status }),
      // Sent as UTF-8, whatever it was.
      type: type?.replace(/charset=[^;]*/i, 'charset=utf-8') ?? null,
      ...(kept.length > 0 && {
        headers: Object.fromEntries(kept.map((name) => [name, this.#withOrigin(allOf(name).at(-1) ?? '')])),
      }),
      body: this.#withOrigin(text),
    };
  }

  #withOrigin(text: string): string {
    return this.#rewrite(text).replaceAll(FIXTURE_ORIGIN, '{ORIGIN}');
  }

  #rewrite(text: string): string {
    return this.#placeholders.replaceIn(this.#hosts.renameIn(text));
  }
}

function isSame(known: Answer, answer: Answer): boolean {
  return JSON.stringify({ ...known, accept: undefined, method: undefined }) === JSON.stringify(answer);
}

/** As far as it can be decoded. */
async function decodedBytes(body: Uint8Array, coding: string | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of undoCoding(once(body), coding)) chunks.push(chunk);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
  }
  const decoded = Buffer.concat(chunks);
  const isGzip = decoded[0] === 0x1f && decoded[1] === 0x8b;
  return isGzip
    ? gunzipSync(decoded, { maxOutputLength: BODY_BYTES_MAX, finishFlush: constants.Z_SYNC_FLUSH })
    : decoded;
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.length > 0) yield body;
}
