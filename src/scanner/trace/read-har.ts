import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { FETCH_FAILURES, type FetchFailure } from '../../net/failure.js';
import { REFUSALS, type RefusalReason } from '../../net/refusal.js';
import type { FieldLine } from '../../net/transport.js';
import {
  isRecordedField,
  type RecordedExchange,
  type RecordedResponse,
  type RecordedRun,
  type Recording,
  RECORDING_LIMITS,
} from './recording.js';

/** A file that cannot be replayed. The message is a clause of our own words. */
export class HarError extends Error {
  override readonly name = 'HarError';
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a file that `writeRecording` wrote.
 * @throws HarError if it is another one, malformed, or holds more than a scan can fetch
 */
export function readRecording(file: Buffer): Recording {
  if (file.length > RECORDING_LIMITS.bytesMax) throw new HarError('it is larger than 64 MiB');
  const { log } = asObject(parseJson(file), 'it is no HAR file');
  const { version, creator, entries, _run } = asObject(log, 'it is no HAR file');
  if (version !== '1.2' || !Array.isArray(entries)) throw new HarError('it is no HAR 1.2 file');
  if (_run === undefined) throw new HarError('it was not written by scan --record');
  if (entries.length === 0) throw new HarError('it holds no responses');
  if (entries.length > RECORDING_LIMITS.exchangesMax) throw new HarError('it has more requests than a scan sends');
  const run = readRun(asObject(_run), asText(asObject(creator).version));
  return { run, exchanges: entries.map((entry, index) => readEntry(asObject(entry), index + 1)) };
}

function parseJson(file: Buffer): unknown {
  try {
    return JSON.parse(file.toString());
  } catch {
    throw new HarError('it is cut off, or no HAR file');
  }
}

function readRun(run: Fields, version: string): RecordedRun {
  const origin = URL.parse(asText(run.origin));
  if (origin === null || !/^https?:$/.test(origin.protocol) || origin.username !== '') malformed();
  const asPage = (value: unknown): string => {
    const page = URL.parse(asText(value));
    return page?.origin === origin.origin && page.username === '' ? page.href : malformed();
  };
  const { unsentMax } = RECORDING_LIMITS;
  return {
    version,
    origin: origin.origin,
    isOwnershipVerified: run.isOwnershipVerified === true,
    ...(run.pages !== undefined && { pages: asList(run.pages, SCAN_LIMITS.chosenPagesMax).map(asPage) }),
    infoUrl: run.infoUrl === null ? null : asText(run.infoUrl),
    controlSeed: asText(run.controlSeed),
    startedAt: asDate(run.startedAt),
    finishedAt: asDate(run.finishedAt),
    requestCount: asCount(run.requestCount),
    isOutOfTime: run.isOutOfTime === true,
    unsent: asList(run.unsent, unsentMax).map((item) => {
      const { key, failure } = asObject(item);
      return { key: asText(key), failure: asFailure(failure) };
    }),
    refused: asList(run.refused, unsentMax).map((item) => {
      const { url, reason } = asObject(item);
      return { url: asText(url), reason: asRefusal(reason) };
    }),
  };
}

function readEntry(entry: Fields, number: number): RecordedExchange {
  const { method, url, headers, postData } = asObject(entry.request);
  const address = URL.parse(asText(url));
  if ((method !== 'GET' && method !== 'POST') || address === null) malformed();
  const response = asObject(entry.response, `its entry ${number} has no response`);
  const { status, _error } = response;
  if (status === 0 && _error === undefined) malformed();
  return {
    request: {
      method,
      url: address.href,
      headers: Object.fromEntries(readFields(headers)),
      body: postData === undefined ? null : asText(asObject(postData).text),
    },
    startedAt: asDate(entry.startedDateTime),
    durationMs: asCount(entry.time),
    response: status === 0 ? null : readResponse(response),
    failure: _error === undefined ? null : asFailure(_error),
  };
}

function readResponse({ status, headers, content, _isAbandoned }: Fields): RecordedResponse {
  const { text, encoding, _isCoded } = asObject(content);
  const isDecoded = _isCoded !== true;
  return {
    status: asCount(status),
    headers: readFields(headers).map(([name, value]) => [
      name,
      // The content is decoded already.
      isDecoded && name.toLowerCase() === 'content-encoding' ? 'identity' : octetsOf(value),
    ]),
    body: Buffer.from(asText(text), encoding === 'base64' ? 'base64' : 'utf8'),
    isAbandoned: _isAbandoned === true,
  };
}

function readFields(value: unknown): FieldLine[] {
  const fields = asList(value, HEADERS_MAX).map((item): FieldLine => {
    const field = asObject(item);
    return [asText(field.name), asText(field.value)];
  });
  return fields.filter(([name]) => isRecordedField(name));
}

/** More than fit into the 16 KiB that a scan reads. */
const HEADERS_MAX = 5000;

/** A text as UTF-8, one character for each octet. */
export function octetsOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function asObject(value: unknown, otherwise?: string): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : malformed(otherwise);
}

function asList(value: unknown, lengthMax: number): readonly unknown[] {
  return Array.isArray(value) && value.length <= lengthMax ? value : malformed();
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : malformed();
}

function asCount(value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : malformed();
}

function asDate(value: unknown): Date {
  const date = new Date(asText(value));
  return Number.isNaN(date.getTime()) ? malformed() : date;
}

function asFailure(value: unknown): FetchFailure {
  return Object.hasOwn(FETCH_FAILURES, asText(value)) ? (value as FetchFailure) : malformed();
}

function asRefusal(value: unknown): RefusalReason {
  return Object.hasOwn(REFUSALS, asText(value)) ? (value as RefusalReason) : malformed();
}

function malformed(reason = 'one of its entries is malformed'): never {
  throw new HarError(reason);
}
