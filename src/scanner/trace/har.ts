import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type FieldLine, ResponseHeaders } from '../../net/transport.js';
import { SCANNER_TOKEN } from '../artifacts/scanner.js';
import type { Excerpt, ShownEvidence, SiteExchange } from './kept-evidence.js';
import type { RecordedExchange, RecordedResponse, RecordedRun, Recording } from './recording.js';

/** An entry of a HAR 1.2 file (http://www.softwareishard.com/blog/har-12-spec/). Names that begin with `_` are our own. */
interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HarField[];
    readonly postData?: { readonly mimeType: string; readonly text: string };
  };
  readonly response: {
    /** 0 if there was no response. */
    readonly status: number;
    readonly headers: readonly HarField[];
    readonly content: HarContent;
    /** Why there was no response, or not a whole one: a name of FETCH_FAILURES. */
    readonly _error?: string;
    /** True if the scan stopped reading before the end of the body. */
    readonly _isAbandoned?: true;
  };
}

interface HarField {
  readonly name: string;
  readonly value: string;
}

interface HarContent {
  readonly size: number;
  readonly mimeType: string;
  readonly text: string;
  readonly encoding?: 'base64';
  /** True if the content coding could not be undone, so that these are the bytes as sent. */
  readonly _isCoded?: true;
  readonly comment?: string;
}

/** Bodies that are larger when decoded are written as sent. */
const DECODED_BYTES_MAX = 8 * 1_048_576;

/** Writes a recording as a HAR 1.2 file, which every browser's developer tools open. `_run` has what else a replay needs. */
export function writeRecording({ run: { version, ...run }, exchanges }: Recording): string {
  return writeHar(version, exchanges.map(entryOf), { _run: run });
}

/** @param own further fields of the log */
function writeHar(version: string, entries: readonly HarEntry[], own: Readonly<Record<string, unknown>> = {}): string {
  const log = { version: '1.2', creator: { name: SCANNER_TOKEN, version }, ...own, entries: entries.map(complete) };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function entryOf({ request, startedAt, durationMs, response, failure }: RecordedExchange): HarEntry {
  const { method, url, headers, body } = request;
  const mimeType = headers['content-type'] ?? 'application/octet-stream';
  return {
    startedDateTime: startedAt.toISOString(),
    time: durationMs,
    request: {
      method,
      url,
      headers: asFields(Object.entries(headers)),
      ...(body !== null && { postData: { mimeType, text: body } }),
    },
    response: {
      status: response?.status ?? 0,
      headers: asFields((response?.headers ?? []).map(asText)),
      content: response ? contentOf(response, failure === null) : NO_CONTENT,
      ...(failure !== null && { _error: failure }),
      ...(response?.isAbandoned && { _isAbandoned: true }),
    },
  };
}

const NO_CONTENT: HarContent = { size: 0, mimeType: '', text: '' };

function asFields(lines: readonly FieldLine[]): HarField[] {
  return lines.map(([name, value]) => ({ name, value }));
}

/** Decodes a value as UTF-8 if it is valid, otherwise as Latin-1. */
function asText([name, value]: FieldLine): FieldLine {
  return [name, new ResponseHeaders([[name, value]]).get(name) ?? ''];
}

function contentOf({ headers, body, isAbandoned }: RecordedResponse, isWhole: boolean): HarContent {
  const fields = new ResponseHeaders(headers);
  const coding = fields.get('content-encoding')?.trim().toLowerCase() ?? '';
  const decoded = isWhole && !isAbandoned ? decode(Buffer.from(body), coding) : null;
  const bytes = decoded ?? Buffer.from(body);
  return {
    size: bytes.length,
    mimeType: fields.get('content-type') ?? '',
    ...(isUtf8(bytes) ? { text: bytes.toString() } : { text: bytes.toString('base64'), encoding: 'base64' }),
    ...(decoded === null && coding !== '' && { _isCoded: true }),
  };
}

/** Null if the coding cannot be undone. */
function decode(body: Buffer, coding: string): Buffer | null {
  try {
    const options = { maxOutputLength: DECODED_BYTES_MAX };
    if (coding === 'gzip' || coding === 'x-gzip') return gunzipSync(body, options);
    return coding === 'br' ? brotliDecompressSync(body, options) : null;
  } catch {
    return null;
  }
}

/** Adds fields that the format requires or that developer tools show. */
function complete({ request, response, ...entry }: HarEntry): object {
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  const redirectURL = response.headers.find(({ name }) => name.toLowerCase() === 'location')?.value ?? '';
  const queryString = Array.from(new URL(request.url).searchParams, ([name, value]) => ({ name, value }));
  return {
    ...entry,
    request: { ...common, ...request, queryString, bodySize: Buffer.byteLength(request.postData?.text ?? '') },
    response: { ...common, statusText: '', ...response, redirectURL, bodySize: -1 },
    cache: {},
    timings: { send: 0, wait: entry.time, receive: 0 },
  };
}

/**
 * Writes the evidence behind findings as a HAR 1.2 file: each exchange with the site, with the stored excerpt as its body. Every entry has
 * the time of the run.
 */
export function writeEvidence(
  findings: readonly ShownEvidence[],
  run: Pick<RecordedRun, 'version' | 'startedAt'>,
): string {
  const excerpts = new Map<SiteExchange, Excerpt | null>();
  for (const { exchange, excerpt } of findings.flatMap(({ exchanges }) => exchanges)) {
    if (exchange.source !== 'site') continue;
    const known = excerpts.get(exchange);
    if (!known || (excerpt && excerpt.marked.length > known.marked.length)) excerpts.set(exchange, excerpt);
  }
  return writeHar(
    run.version,
    Array.from(excerpts, ([exchange, excerpt]) => evidenceEntry(exchange, excerpt, run.startedAt)),
  );
}

function evidenceEntry(exchange: SiteExchange, excerpt: Excerpt | null, startedAt: Date): HarEntry & object {
  const { url, method, userAgent, accept, sent, answer, durationMs, isControl, hasQuery } = exchange;
  const fields = { 'user-agent': userAgent, accept, ...(sent && { 'content-type': sent.type }) };
  const hasAnswer = 'status' in answer;
  return {
    startedDateTime: startedAt.toISOString(),
    time: durationMs ?? 0,
    request: {
      method,
      url,
      headers: asFields(Object.entries(fields)),
      ...(sent && { postData: { mimeType: sent.type, text: sent.body } }),
    },
    response: {
      status: hasAnswer ? answer.status : 0,
      headers: asFields(hasAnswer ? answer.headers : []),
      content: hasAnswer ? excerptContent(answer, excerpt) : NO_CONTENT,
      ...(!hasAnswer && { _error: answer.failure }),
    },
    ...(isControl && { _control: 'an address that cannot exist, to compare with' }),
    ...(hasQuery && { _query: 'left out' }),
  };
}

function excerptContent(
  { headers, body }: Extract<SiteExchange['answer'], { status: number }>,
  excerpt: Excerpt | null,
): HarContent {
  const mimeType = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  if (!body) return { ...NO_CONTENT, mimeType };
  const facts = {
    ...(excerpt && { _firstLine: excerpt.firstLine, _namedLines: excerpt.marked }),
    _sha256: body.sha256,
  };
  const comment = excerpt ? `an excerpt of the body, from its line ${excerpt.firstLine}` : 'the body is not kept';
  return { size: body.byteCount, mimeType, text: excerpt?.text ?? '', comment, ...facts };
}
