import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FetchFailure } from '../../net/failure.js';
import { type FieldLine, type HopRequest, type HopResponse, ResponseHeaders } from '../../net/transport.js';
import { SCANNER_TOKEN } from '../artifacts/scanner.js';
import type { Excerpt, ShownEvidence, SiteExchange } from './stored-evidence.js';
import type { HarContent, HarEntry, HarField, HarRequest, HarResponse, Recording } from './recording.js';

/** A body that is larger once decoded is written as sent. */
const DECODED_BYTES_MAX = 8 * 1_048_576;

/** Fields that may contain a secret. No file includes them. */
const SECRET_FIELDS = new Set([
  'authorization',
  'cookie',
  'cookie2',
  'proxy-authorization',
  'set-cookie',
  'set-cookie2',
]);

function fieldsOf(lines: readonly FieldLine[]): HarField[] {
  return lines.filter(([name]) => !SECRET_FIELDS.has(name.toLowerCase())).map(([name, value]) => ({ name, value }));
}

export function describeRequest({ method, url, headers, body = null }: Omit<HopRequest, 'signal'>): HarRequest {
  const mimeType = headers['content-type'] ?? 'application/octet-stream';
  return {
    method,
    url: url.href,
    headers: fieldsOf(Object.entries(headers)),
    ...(body !== null && { postData: { mimeType, text: body } }),
  };
}

/** Key of requests that a replay treats as equal. */
export function replayKey({ method, url, headers, postData }: HarRequest): string {
  const valueOf = (name: string): string => headers.find((field) => field.name === name)?.value ?? '';
  return JSON.stringify([method, url, valueOf('user-agent'), valueOf('accept'), postData?.text ?? '']);
}

const NO_CONTENT: HarContent = { size: 0, mimeType: '', text: '' };

export function describeFailure(failure: FetchFailure): HarResponse {
  return { status: 0, headers: [], content: NO_CONTENT, _error: failure };
}

/** @param body the bytes that were read, before content decoding */
export function describeResponse(
  { status, headers }: Pick<HopResponse, 'status' | 'headers'>,
  body: Uint8Array,
  end: Pick<HarResponse, '_error' | '_isAbandoned'>,
): HarResponse {
  const isWhole = end._error === undefined && end._isAbandoned === undefined;
  return {
    status,
    headers: fieldsOf(headers.lines.map(decodeField)),
    // Decoded on each read, since a hostile body takes far more memory once decoded.
    get content() {
      return contentOf(headers, Buffer.from(body), isWhole);
    },
    ...end,
  };
}

/** Decodes a value as UTF-8 if it is valid, otherwise as Latin-1. */
function decodeField([name, value]: FieldLine): FieldLine {
  return [name, new ResponseHeaders([[name, value]]).get(name) ?? ''];
}

function contentOf(headers: ResponseHeaders, body: Buffer, isWhole: boolean): HarContent {
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  const decoded = isWhole ? decode(body, coding) : null;
  const bytes = decoded ?? body;
  return {
    size: bytes.length,
    mimeType: headers.get('content-type') ?? '',
    ...(isUtf8(bytes) ? { text: bytes.toString() } : { text: bytes.toString('base64'), encoding: 'base64' }),
    ...(decoded === null && coding !== '' && { _isCoded: true }),
  };
}

/** Returns null if the body cannot be decoded. */
function decode(body: Buffer, coding: string): Buffer | null {
  try {
    const options = { maxOutputLength: DECODED_BYTES_MAX };
    if (coding === 'gzip' || coding === 'x-gzip') return gunzipSync(body, options);
    return coding === 'br' ? brotliDecompressSync(body, options) : null;
  } catch {
    return null;
  }
}

/** Writes a recording as a HAR 1.2 file, which every browser's developer tools open. `_run` has the rest that a replay needs. */
export function writeRecording({ run, entries }: Recording, version: string): string {
  return writeHar(version, entries, { _run: run });
}

/** @param own fields of our own to add to the log */
function writeHar(version: string, entries: readonly HarEntry[], own: Readonly<Record<string, unknown>> = {}): string {
  const log = { version: '1.2', creator: { name: SCANNER_TOKEN, version }, ...own, entries: entries.map(complete) };
  return `${JSON.stringify({ log }, null, 2)}\n`;
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
 * Writes the evidence behind findings as a HAR 1.2 file: each exchange with the site, with the stored excerpt as its body. Each entry
 * is dated with the time at which the run or the recheck was stored.
 */
export function writeEvidence(
  findings: readonly (ShownEvidence & { readonly storedAt: string })[],
  version: string,
): string {
  const excerpts = new Map<SiteExchange, { readonly excerpt: Excerpt | null; readonly storedAt: string }>();
  for (const { exchanges, storedAt } of findings)
    for (const { exchange, excerpt } of exchanges) {
      if (exchange.source !== 'site') continue;
      const other = excerpts.get(exchange)?.excerpt;
      if (!other || (excerpt && excerpt.marked.length > other.marked.length))
        excerpts.set(exchange, { excerpt, storedAt });
    }
  const entries = Array.from(excerpts, ([exchange, { excerpt, storedAt }]) =>
    evidenceEntry(exchange, excerpt, storedAt),
  );
  return writeHar(version, entries);
}

function evidenceEntry(exchange: SiteExchange, excerpt: Excerpt | null, startedDateTime: string): HarEntry & object {
  const { url, method, userAgent, accept, sent, answer, durationMs, isControl, hasQuery } = exchange;
  const headers = { 'user-agent': userAgent, accept, ...(sent && { 'content-type': sent.type }) };
  return {
    startedDateTime,
    time: durationMs ?? 0,
    request: describeRequest({ method, url: new URL(url), headers, body: sent?.body ?? null }),
    response: 'failure' in answer ? describeFailure(answer.failure) : describeExcerpt(answer, excerpt),
    ...(isControl && { _control: 'a URL that cannot exist, requested for comparison' }),
    ...(hasQuery && { _query: 'left out' }),
  };
}

function describeExcerpt(
  { status, headers, body }: Extract<SiteExchange['answer'], { status: number }>,
  excerpt: Excerpt | null,
): HarResponse {
  const mimeType = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const content = body && {
    size: body.byteCount,
    mimeType,
    text: excerpt?.text ?? '',
    comment: excerpt ? `an excerpt of the body, starting at line ${excerpt.firstLine}` : 'the body is not stored',
    ...(excerpt && { _firstLine: excerpt.firstLine, _namedLines: excerpt.marked }),
  };
  return { status, headers: fieldsOf(headers), content: content ?? { ...NO_CONTENT, mimeType } };
}
