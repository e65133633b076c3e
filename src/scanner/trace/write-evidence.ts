import { describeFailure } from '../artifacts/resource.js';
import type { ShownEvidence, ShownExchange, SiteExchange } from './kept-evidence.js';
import type { RecordedRun } from './recording.js';
import { newRecordId, octetsOf, writeMessage, writeRecord } from './warc-records.js';
import { FIELDS_TYPE, fieldLines, writeInfo } from './write-warc.js';

type Run = Pick<RecordedRun, 'version' | 'startedAt'>;
type OfSite = Pick<ShownExchange, 'excerpt'> & { readonly exchange: SiteExchange };

/**
 * The evidence behind findings as a WARC 1.1 file (ISO 28500:2017), for other tools and people: of each exchange with the site the request, the
 * answer's status and header fields without its body, and the excerpt that is kept of that as text. All records bear the time of the run.
 */
export function* writeEvidence(findings: readonly ShownEvidence[], run: Run): Generator<Uint8Array> {
  yield writeInfo(run);
  const written = new Set<SiteExchange>();
  for (const { exchanges } of findings) {
    for (const { exchange, excerpt } of exchanges) {
      if (exchange.source !== 'site' || written.has(exchange)) continue;
      written.add(exchange);
      yield* writeExchange({ exchange, excerpt }, run.startedAt);
    }
  }
}

function* writeExchange({ exchange, excerpt }: OfSite, date: Date): Generator<Uint8Array> {
  const { url, method, userAgent, accept, sent, answer, durationMs, isControl } = exchange;
  const { host, pathname } = new URL(url);
  const id = newRecordId();
  const toRequest = { 'WARC-Target-URI': url, 'WARC-Concurrent-To': id };
  yield writeRecord({
    ...{ type: 'request', id, date, contentType: 'application/http;msgtype=request' },
    fields: { 'WARC-Target-URI': url },
    block: writeMessage({
      startLine: `${method} ${pathname} HTTP/1.1`,
      fields: Object.entries({ host, 'user-agent': userAgent, accept, ...(sent && { 'content-type': sent.type }) }),
      body: Buffer.from(sent?.body ?? ''),
    }),
  });
  if ('status' in answer) {
    yield writeRecord({
      ...{ type: 'response', id: newRecordId(), date, contentType: 'application/http;msgtype=response' },
      // The body is left out (WARC 1.1 §5.13). Its digest is not a WARC-Payload-Digest, which is of what the record holds.
      fields: { ...toRequest, 'WARC-Truncated': answer.body && 'unspecified' },
      block: writeMessage({
        startLine: `HTTP/1.1 ${answer.status} `,
        fields: answer.headers.map(([name, value]) => [name, octetsOf(value)] as const),
        body: Buffer.alloc(0),
      }),
    });
  }
  const facts = {
    ...(durationMs !== null && { fetchTimeMs: String(durationMs) }),
    ...('status' in answer && answer.body && { decodedBodyDigest: `sha256:${answer.body.sha256}` }),
    ...('failure' in answer && { failure: `${answer.failure} (${describeFailure(answer.failure).text})` }),
    ...(isControl && { control: 'an address that cannot exist, to compare with' }),
    ...(exchange.hasQuery && { query: 'left out' }),
    ...(excerpt && { excerptFirstLine: String(excerpt.firstLine) }),
    ...(excerpt && excerpt.marked.length > 0 && { linesNamed: excerpt.marked.join(' ') }),
  };
  yield writeRecord({
    ...{ type: 'metadata', id: newRecordId(), date, contentType: FIELDS_TYPE, fields: toRequest },
    block: fieldLines(facts),
  });
  if (!excerpt) return;
  yield writeRecord({
    ...{ type: 'metadata', id: newRecordId(), date, contentType: 'text/plain; charset=utf-8', fields: toRequest },
    block: excerpt.text,
  });
}
