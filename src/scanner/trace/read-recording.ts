import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { FETCH_FAILURES, type FetchFailure } from '../../net/failure.js';
import { REFUSALS, type RefusalReason } from '../../net/refusal.js';
import {
  isRecordedField,
  type RecordedExchange,
  type RecordedResponse,
  type RecordedRun,
  type Recording,
  RECORDING_LIMITS,
} from './recording.js';
import { readFields, readMessage, readRecords, WarcError, type WarcRecord } from './warc-records.js';
import { RUN_FORMAT, RUN_TYPE } from './write-warc.js';

/** Three records for each exchange, one for each host, and those of the run. */
const RECORDS_MAX = 4 * RECORDING_LIMITS.exchangesMax + 10;

const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Reads a file that `writeRecording` wrote, compressed or not.
 * @throws WarcError if it is another one, malformed, or holds more than a scan can fetch
 */
export async function readRecording(file: Buffer): Promise<Recording> {
  const records = [...readRecords(await unzip(file), RECORDS_MAX)];
  const entry = records.find(({ fields }) => fields.get('content-type') === RUN_TYPE);
  if (!entry) throw new WarcError('it was not written by scan --record');
  const { run, exchangeCount } = readRun(entry);
  const exchanges = readExchanges(records);
  if (exchanges.length !== exchangeCount) throw new WarcError('some of its records are missing');
  return { run, exchanges };
}

async function unzip(file: Buffer): Promise<Buffer> {
  if (!file.subarray(0, 2).equals(GZIP)) return file;
  try {
    return await promisify(gunzip)(file, { maxOutputLength: RECORDING_LIMITS.bytesMax });
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw new WarcError(isTooLarge ? 'it holds more than a scan can fetch' : 'it is cut off, or no gzip file');
  }
}

function readRun({ block }: WarcRecord): { readonly run: RecordedRun; readonly exchangeCount: number } {
  if (block.length > RECORDING_LIMITS.entryBytesMax) throw new WarcError('its entry of the run is too large');
  const entry = asObject(parseJson(block));
  if (entry.format !== RUN_FORMAT) {
    throw new WarcError(`its form is ${String(Number(entry.format))}, and this version reads ${RUN_FORMAT} alone`);
  }
  const origin = URL.parse(asText(entry.origin));
  if (origin === null || !/^https?:$/.test(origin.protocol) || origin.username !== '') malformed();
  const asPage = (value: unknown): string => {
    const page = URL.parse(asText(value));
    return page?.origin === origin.origin && page.username === '' ? page.href : malformed();
  };
  const { unsentMax } = RECORDING_LIMITS;
  const run: RecordedRun = {
    version: asText(entry.version),
    origin: origin.origin,
    isOwnershipVerified: entry.isOwnershipVerified === true,
    ...(entry.page !== undefined && { page: asPage(entry.page) }),
    ...(entry.pages !== undefined && { pages: asList(entry.pages, SCAN_LIMITS.chosenPagesMax).map(asPage) }),
    infoUrl: entry.infoUrl === null ? null : asText(entry.infoUrl),
    controlSeed: asText(entry.controlSeed),
    startedAt: asDate(entry.startedAt),
    finishedAt: asDate(entry.finishedAt),
    requestCount: asCount(entry.requestCount),
    isOutOfTime: entry.isOutOfTime === true,
    unsent: asList(entry.unsent, unsentMax).map((item) => {
      const { key, failure } = asObject(item);
      return { key: asText(key), failure: asFailure(failure) };
    }),
    refused: asList(entry.refused, unsentMax).map((item) => {
      const { url, reason } = asObject(item);
      return { url: asText(url), reason: asRefusal(reason) };
    }),
    hungLookups: asList(entry.hungLookups, unsentMax).map(asText),
  };
  return { run, exchangeCount: asCount(entry.exchangeCount) };
}

/** Each request with the records that name it: its response, and how it went. */
function readExchanges(records: readonly WarcRecord[]): RecordedExchange[] {
  const typed = (type: string): readonly WarcRecord[] =>
    records.filter(({ fields }) => fields.get('warc-type') === type);
  const byRequest = (type: string): Map<string | undefined, WarcRecord> =>
    new Map(typed(type).map((record) => [record.fields.get('warc-concurrent-to'), record]));
  const responses = byRequest('response');
  const notes = byRequest('metadata');
  const requests = typed('request');
  if (requests.length > RECORDING_LIMITS.exchangesMax) throw new WarcError('it has more requests than a scan sends');
  return requests.map((record) => {
    const id = record.fields.get('warc-record-id');
    return readExchange(record, responses.get(id), notes.get(id));
  });
}

function readExchange(asked: WarcRecord, answered?: WarcRecord, noted?: WarcRecord): RecordedExchange {
  const { startLine, fields, body } = readMessage(asked, RECORDING_LIMITS.entryBytesMax);
  const method = startLine.split(' ')[0];
  const url = URL.parse(asked.fields.get('warc-target-uri') ?? '');
  if ((method !== 'GET' && method !== 'POST') || url === null) malformed();
  const note = Buffer.from(noted?.block ?? '').toString();
  const details = readFields(note.split('\r\n'));
  const failure = details.get('failure');
  const response = answered ? readResponse(answered, failure === undefined, details.get('framing')) : null;
  return {
    request: {
      ...{ method, url: url.href },
      headers: Object.fromEntries(fields.filter(([name]) => name !== 'host' && isRecordedField(name))),
      body: body.length > 0 ? Buffer.from(body).toString() : null,
    },
    startedAt: asDate(asked.fields.get('warc-date')),
    durationMs: asCount(Number(details.get('fetchtimems') ?? 0)),
    address: asked.fields.get('warc-ip-address') ?? null,
    response,
    failure: failure === undefined ? (response ? null : malformed()) : asFailure(failure),
  };
}

function readResponse(record: WarcRecord, isGood: boolean, framing?: string): RecordedResponse {
  const message = readMessage(record, RECORDING_LIMITS.entryBytesMax);
  const [, status] = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(message.startLine) ?? malformed();
  return {
    status: Number(status),
    headers: message.fields.filter(([name]) => isRecordedField(name)),
    body: message.body,
    isAbandoned: isGood && record.fields.get('warc-truncated') === 'length',
    ...(framing === 'chunked' && { isChunked: true }),
  };
}

function parseJson(block: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(block).toString()) as unknown;
  } catch {
    return malformed();
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : malformed();
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

function malformed(): never {
  throw new WarcError('one of its records is malformed');
}
