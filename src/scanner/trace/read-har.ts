import { Ajv } from 'ajv';
import { FETCH_FAILURES } from '../../net/failure.js';
import { REFUSALS } from '../../net/url-gate.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { type HarEntry, type RecordedRun, type Recording, RECORDING_LIMITS } from './recording.js';

/** A file that cannot be replayed. The message is a clause of our own words. */
export class HarError extends Error {
  override readonly name = 'HarError';
}

/** More than fit into the 16 KiB that a scan reads. */
const HEADERS_MAX = 5000;

const TEXT = { type: 'string' };
const BOOLEAN = { type: 'boolean' };
const COUNT = { type: 'integer', minimum: 0 };
const DATE = { type: 'string', format: 'date' };
const FAILURE = { enum: Object.keys(FETCH_FAILURES) };

/** @param optional members that may be missing */
function objectOf(properties: Readonly<Record<string, object>>, ...optional: readonly string[]): object {
  return { type: 'object', properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

function listOf(items: object, maxItems: number): object {
  return { type: 'array', items, maxItems };
}

const FIELDS = listOf(objectOf({ name: TEXT, value: TEXT }), HEADERS_MAX);

const REQUEST = objectOf(
  {
    method: { enum: ['GET', 'POST'] },
    url: { type: 'string', format: 'address' },
    headers: FIELDS,
    postData: objectOf({ text: TEXT }),
  },
  'postData',
);

const RESPONSE = {
  ...objectOf(
    {
      status: COUNT,
      headers: FIELDS,
      content: objectOf(
        { text: TEXT, encoding: { const: 'base64' }, _isCoded: { const: true } },
        ...['encoding', '_isCoded'],
      ),
      _error: FAILURE,
      _isAbandoned: { const: true },
    },
    ...['_error', '_isAbandoned'],
  ),
  if: { properties: { status: { const: 0 } } },
  then: { required: ['_error'] },
};

const { unsentMax, exchangesMax, bytesMax } = RECORDING_LIMITS;

const RUN = objectOf(
  {
    origin: { type: 'string', pattern: '^https?:' },
    isOwnershipVerified: BOOLEAN,
    pages: listOf(TEXT, SCAN_LIMITS.chosenPagesMax),
    infoUrl: { type: ['string', 'null'] },
    controlSeed: TEXT,
    startedAt: DATE,
    finishedAt: DATE,
    requestCount: COUNT,
    isOutOfTime: BOOLEAN,
    unsent: listOf(objectOf({ key: TEXT, failure: FAILURE }), unsentMax),
    refused: listOf(objectOf({ url: TEXT, reason: { enum: Object.keys(REFUSALS) } }), unsentMax),
  },
  'pages',
);

const validate = new Ajv({
  ownProperties: true,
  strict: false,
  formats: {
    address: (text: string) => URL.parse(text) !== null,
    date: (text: string) => !Number.isNaN(Date.parse(text)),
  },
}).compile(
  objectOf({
    creator: objectOf({ version: TEXT }),
    entries: {
      type: 'array',
      items: objectOf({ startedDateTime: DATE, time: COUNT, request: REQUEST, response: RESPONSE }),
    },
    _run: RUN,
  }),
);

interface RecordedLog {
  readonly creator: { readonly version: string };
  readonly entries: readonly HarEntry[];
  readonly _run: Omit<RecordedRun, 'version'>;
}

/**
 * Reads a file that `writeRecording` wrote.
 * @throws HarError if it is another one, malformed, or holds more than a scan can fetch
 */
export function readRecording(file: Buffer): Recording {
  if (file.length > bytesMax) throw new HarError('it is larger than 64 MiB');
  const { log } = asObject(parseJson(file));
  const { version, entries, _run: run } = asObject(log);
  if (version !== '1.2' || !Array.isArray(entries)) throw new HarError('it is no HAR 1.2 file');
  if (run === undefined) throw new HarError('it was not written by scan --record');
  if (entries.length === 0) throw new HarError('it holds no responses');
  if (entries.length > exchangesMax) throw new HarError('it has more requests than a scan sends');
  if (!isRecorded(log)) throw new HarError(`one of its entries is malformed${describeEntry()}`);
  return { run: { ...log._run, version: log.creator.version }, entries: log.entries };
}

function parseJson(file: Buffer): unknown {
  try {
    return JSON.parse(file.toString());
  } catch {
    throw new HarError('it is cut off, or no HAR file');
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new HarError('it is no HAR file');
  return value as Readonly<Record<string, unknown>>;
}

function isRecorded(log: unknown): log is RecordedLog {
  if (!validate(log)) return false;
  const { origin, pages = [] } = (log as RecordedLog)._run;
  return [origin, ...pages].every((page) => {
    const url = URL.parse(page);
    return url?.origin === origin && url.username === '';
  });
}

/** Names the entry at which the last validation stopped; empty if it was none. */
function describeEntry(): string {
  const index = /^\/entries\/(\d+)/.exec(validate.errors?.[0]?.instancePath ?? '')?.[1];
  return index === undefined ? '' : `: entry ${Number(index) + 1}`;
}
