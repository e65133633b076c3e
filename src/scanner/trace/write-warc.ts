import type { FetchFailure } from '../../net/failure.js';
import { hostAndPort } from './recorder.js';
import type { RecordedExchange, RecordedRun, Recording } from './recording.js';
import { newRecordId, writeMessage, writeRecord } from './warc-records.js';
import { remember } from '../../net/keyed.js';

/** The media type of the entry that a replay begins with, and the version of its form. */
export const RUN_TYPE = 'application/vnd.agent-readiness.run+json';
export const RUN_FORMAT = 1;

export const FIELDS_TYPE = 'application/warc-fields';
const STANDARD = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/';

/**
 * A record of a scan as a WARC 1.1 file (ISO 28500:2017), a gzip member at a time: who wrote it, what the scan knew, then for each
 * exchange its request, its response and how it went, and last the outcome of DNS and TLS for each host.
 */
export function* writeRecording({ run, exchanges }: Recording): Generator<Uint8Array> {
  const entry = { format: RUN_FORMAT, exchangeCount: exchanges.length, ...run };
  yield writeInfo(run);
  yield writeRecord({
    type: 'metadata',
    id: newRecordId(),
    date: run.startedAt,
    // It names no WARC-Target-URI: other tools would show it in place of that page.
    contentType: RUN_TYPE,
    block: `${JSON.stringify(entry, null, 2)}\n`,
  });
  for (const exchange of exchanges) yield* writeExchange(exchange);
  const byHost = new Map<string, RecordedExchange[]>();
  for (const exchange of exchanges) {
    const url = new URL(exchange.request.url);
    const host = `${url.protocol}//${hostAndPort(url)}`;
    remember(byHost, host, () => []).push(exchange);
  }
  for (const ofHost of byHost.values()) yield writeConnection(ofHost);
}

/** What names the program that wrote the file. */
export function writeInfo({ version, startedAt }: Pick<RecordedRun, 'version' | 'startedAt'>): Uint8Array {
  return writeRecord({
    type: 'warcinfo',
    id: newRecordId(),
    date: startedAt,
    contentType: FIELDS_TYPE,
    block: fieldLines({
      software: `agent-readiness/${version}`,
      format: 'WARC File Format 1.1',
      conformsTo: STANDARD,
    }),
  });
}

function* writeExchange({ request, startedAt, durationMs, address, ...rest }: RecordedExchange): Generator<Uint8Array> {
  const { response, failure } = rest;
  const { method, url, headers, body } = request;
  const { host, pathname, search } = new URL(url);
  const id = newRecordId();
  const common = { date: startedAt, fields: { 'WARC-Target-URI': url, 'WARC-IP-Address': address } };
  const http = { ...common, contentType: 'application/http;msgtype=request' };
  yield writeRecord({
    ...{ ...http, type: 'request', id },
    block: writeMessage({
      startLine: `${method} ${pathname}${search} HTTP/1.1`,
      fields: [['host', host], ...Object.entries(headers)],
      body: Buffer.from(body ?? ''),
    }),
  });
  const toRequest = { 'WARC-Target-URI': url, 'WARC-Concurrent-To': id };
  if (response) {
    const truncated = response.isAbandoned ? 'length' : failure && truncationOf(failure);
    yield writeRecord({
      ...{ type: 'response', id: newRecordId(), date: startedAt, contentType: 'application/http;msgtype=response' },
      fields: { ...toRequest, 'WARC-IP-Address': address, 'WARC-Truncated': truncated },
      block: writeMessage({
        // The reason phrase may be empty (RFC 9112 §4).
        startLine: `HTTP/1.1 ${response.status} `,
        fields: response.headers,
        body: response.body,
      }),
    });
  }
  yield writeRecord({
    ...{ type: 'metadata', id: newRecordId(), date: startedAt, contentType: FIELDS_TYPE, fields: toRequest },
    block: fieldLines({
      fetchTimeMs: String(durationMs),
      ...(failure && { failure }),
      ...(response?.isChunked && { framing: 'chunked' }),
    }),
  });
}

/** WARC 1.1 §5.13. */
function truncationOf(failure: FetchFailure): string {
  if (failure === 'stalled' || failure === 'run_deadline') return 'time';
  if (failure === 'budget_spent') return 'length';
  return ['cut_off', 'reset'].includes(failure) ? 'disconnect' : 'unspecified';
}

/** What became of name, connection and certificate of one host, as far as its exchanges show. */
function writeConnection(exchanges: readonly RecordedExchange[]): Uint8Array {
  const [first] = exchanges as readonly [RecordedExchange, ...RecordedExchange[]];
  const origin = new URL('/', first.request.url);
  const failures = exchanges.flatMap(({ response, failure }) => (response === null && failure ? [failure] : []));
  const failed = (...kinds: readonly FetchFailure[]): FetchFailure | undefined =>
    failures.find((failure) => kinds.includes(failure));
  const isConnected = exchanges.some(({ response }) => response !== null);
  const dns = isConnected ? 'found' : (failed('name_not_found', 'dns_failed', 'target_refused') ?? 'found');
  const tcp = failed('connect_failed', 'connect_timeout', 'no_resources');
  const tls = failed('tls_expired', 'tls_wrong_host', 'tls_untrusted', 'tls_failed');
  const addresses = new Set(exchanges.flatMap(({ address }) => address ?? []));
  return writeRecord({
    ...{ type: 'metadata', id: newRecordId(), date: first.startedAt, contentType: FIELDS_TYPE },
    fields: { 'WARC-Target-URI': origin.href },
    block: fieldLines({
      dns,
      ...(addresses.size > 0 && { address: [...addresses].join(' ') }),
      ...(dns === 'found' && { connection: isConnected ? 'accepted' : (tcp ?? 'accepted') }),
      ...(dns === 'found' && origin.protocol === 'https:' && { tls: isConnected ? 'trusted' : (tls ?? 'not known') }),
    }),
  });
}

export function fieldLines(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
