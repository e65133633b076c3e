import type { NamedMetadata, TargetState } from '../artifacts/manifests.js';
import { describeFailedFetch } from '../artifacts/resource.js';
import type { FailedFetch } from '../../net/failure.js';
import { type SafeText, pointToAnswer, safeText } from '../artifacts/safe-text.js';
import { parseResourceMetadata } from '../parsers/header-values.js';
import { isHtmlType, parseMediaType } from '../parsers/media-type.js';
import { looksLikeHtml } from '../parsers/text.js';
import { detectChallenge } from '../client/challenge.js';
import type { CollectContext } from '../probe/context.js';
import { STALLS, UNSURE } from '../probe/outcome.js';
import type { Fetched, FetchOptions, SiteResponse } from '../client/visit.js';

/** An endpoint that a manifest lists, with its name for findings. */
export interface Endpoint {
  readonly name: SafeText;
  readonly url: URL;
}

/** Requests of a protocol that change nothing, sent in sequence until one succeeds. */
export interface ProtocolProbe {
  readonly accept: string;
  readonly requests: readonly { readonly body: string; readonly headers?: FetchOptions['headers'] }[];
}

/**
 * Statuses that a live endpoint may return for a plain GET: it wants a token (401, 403), a payment (402), other headers or a
 * body (400, 406, 415), or another method (405).
 */
export const ALIVE_STATUSES: ReadonlySet<number> = new Set([400, 401, 402, 403, 405, 406, 415]);
const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);
const UNAVAILABLE_FOR_LEGAL_REASONS = 451;

const HEAD_BYTES_MAX = 16_384;
const EVENT_STREAM_START = /^\s{0,9}(?:event|data|id|retry)?:/;
const JSON_RPC = /"jsonrpc"\s{0,9}:\s{0,9}"2\.0"/;

export interface Answer {
  readonly fetched: Fetched;
  /** The first bytes of the body as text. */
  readonly head: string;
}

const ALIVE: Pick<TargetState, 'state' | 'detail'> = { state: 'alive', detail: safeText`answers` };

type Liveness = 'alive' | 'dead' | (Pick<TargetState, 'detail'> & { readonly state: 'unreachable' | 'unknown' });

/**
 * Checks if an endpoint is alive: by GET, and if that is inconclusive, by a request of its protocol. Some endpoints answer GET with 404
 * or a page for people, and an event stream may stay silent.
 */
export async function probeEndpoint(
  context: CollectContext,
  endpoint: Endpoint,
  protocol: ProtocolProbe,
): Promise<TargetState> {
  const { name, url } = endpoint;
  const { last, ...liveness } = await probe(context, url, protocol);
  return { name, ...liveness, detail: pointToAnswer(liveness.detail, url), metadata: metadataOf(last) };
}

interface ProbeResult extends Pick<TargetState, 'state' | 'detail'> {
  readonly last: Answer;
}

async function probe(context: CollectContext, url: URL, protocol: ProtocolProbe): Promise<ProbeResult> {
  const first = await ask(context, url, { headers: { accept: protocol.accept }, attempts: 'once' });
  let liveness = livenessOf(first, ALIVE_STATUSES);
  if (liveness === 'alive' && (await isLikeControl(context, url, first, protocol.accept))) liveness = 'dead';
  if (liveness === 'alive') return { ...ALIVE, last: await askForChallenge(context, url, protocol, first) };
  let last = first;
  if (isReachable(first)) {
    for (const [index, request] of protocol.requests.entries()) {
      const isLast = index === protocol.requests.length - 1;
      last = await sendProtocolRequest(context, url, protocol, request, isLast ? 'standard' : 'once');
      liveness = livenessOf(last, ALIVE_TO_POST);
      if (liveness === 'alive') return { ...ALIVE, last };
    }
  }
  return { ...(liveness === 'dead' ? describeDead(last) : liveness), last };
}

/** Repeats the request by POST after a 405, since POST-only endpoints send their challenge only then. */
async function askForChallenge(
  context: CollectContext,
  url: URL,
  protocol: ProtocolProbe,
  first: Answer,
): Promise<Answer> {
  const [request] = protocol.requests;
  const isPostOnly = 'response' in first.fetched && first.fetched.response.status === 405;
  return isPostOnly && request ? sendProtocolRequest(context, url, protocol, request, 'once') : first;
}

/** Checks if an endpoint speaks JSON-RPC, and collects the metadata that its challenges name. */
export async function askJsonRpc(
  context: CollectContext,
  url: URL,
  protocol: ProtocolProbe,
): Promise<{ readonly isJsonRpc: boolean; readonly metadata: readonly NamedMetadata[] }> {
  const metadata: NamedMetadata[] = [];
  for (const request of protocol.requests) {
    const answer = await sendProtocolRequest(context, url, protocol, request, 'once');
    metadata.push(...metadataOf(answer));
    if (JSON_RPC.test(answer.head)) return { isJsonRpc: true, metadata };
  }
  return { isJsonRpc: false, metadata };
}

export function metadataOf({ fetched }: Pick<Answer, 'fetched'>): readonly NamedMetadata[] {
  if ('failure' in fetched) return [];
  const { headers, url: resource } = fetched.response;
  return parseResourceMetadata(headers.get('www-authenticate'), resource).map((url) => ({ url, resource }));
}

/** After an inconclusive GET, a 405 only shows that POST is not accepted either. */
const ALIVE_TO_POST: ReadonlySet<number> = new Set([...ALIVE_STATUSES].filter((status) => status !== 405));

function sendProtocolRequest(
  context: CollectContext,
  url: URL,
  { accept }: ProtocolProbe,
  { body, headers }: ProtocolProbe['requests'][number],
  attempts: 'standard' | 'once',
): Promise<Answer> {
  return ask(context, url, {
    attempts,
    headers: { accept, 'content-type': 'application/json', ...headers },
    body,
  });
}

/** Fetches the URL, but reads only the start of the body, since an event stream has no end. */
export async function ask({ visit }: CollectContext, url: URL, options: FetchOptions): Promise<Answer> {
  let head = Buffer.alloc(0);
  const sink = (chunk: Uint8Array, offset: number): boolean => {
    head = Buffer.concat(offset === 0 ? [chunk] : [head, chunk]);
    return head.length < HEAD_BYTES_MAX && !EVENT_STREAM_START.test(head.toString('latin1', 0, 100));
  };
  const fetched = await visit.fetch(url, { ...options, sink });
  // The sink gets successful bodies only; an error response has the start of its body itself.
  const start = 'response' in fetched ? fetched.response.body.subarray(0, HEAD_BYTES_MAX) : head;
  return { fetched, head: Buffer.from(start.length > 0 ? start : head).toString() };
}

/** True unless no connection is possible. */
function isReachable({ fetched }: Answer): boolean {
  return 'response' in fetched || STALLS.has(fetched.failure) || fetched.failure === 'reset';
}

export function livenessOf({ fetched, head }: Answer, aliveStatuses: ReadonlySet<number>): Liveness {
  if ('failure' in fetched) return livenessOfFailure(fetched);
  const { response } = fetched;
  const { status } = response;
  const vendor = detectChallenge({ ...response, body: Buffer.from(head) });
  if (vendor !== null) return { state: 'unknown', detail: safeText`answers with a bot challenge from ${vendor}` };
  const isSuccess = status >= 200 && status < 300;
  const { essence } = parseMediaType(response.headers.get('content-type'));
  if (JSON_RPC.test(head) || (isSuccess && essence === 'text/event-stream')) return 'alive';
  if (isSuccess) return isHtmlType(essence) || looksLikeHtml(head) ? 'dead' : 'alive';
  if (aliveStatuses.has(status)) return 'alive';
  const isDead =
    GONE_STATUSES.has(status) || status >= 500 || status === UNAVAILABLE_FOR_LEGAL_REASONS || status === 405;
  return isDead ? 'dead' : { state: 'unknown', detail: safeText`answers with status ${status}` };
}

/** Classifies a failed request to a target that a document lists. */
export function livenessOfFailure(failed: FailedFetch): Exclude<Liveness, string> {
  const { failure } = failed;
  if (STALLS.has(failure)) return { state: 'unreachable', detail: safeText`gives no answer in time` };
  const detail = safeText`cannot be reached: ${describeFailedFetch(failed)}`;
  return { state: UNSURE.has(failure) ? 'unknown' : 'unreachable', detail };
}

function describeDead({ fetched }: Answer): Pick<TargetState, 'state' | 'detail'> {
  const status = 'response' in fetched ? fetched.response.status : 0;
  const detail =
    status >= 200 && status < 300
      ? safeText`answers like a page of the site, not like an endpoint`
      : safeText`answers with status ${status}`;
  return { state: 'unreachable', detail };
}

/** True if the site answers this URL like a nonexistent path, because it answers everything with success. */
export async function isLikeControl(
  context: CollectContext,
  url: URL,
  { fetched }: Answer,
  accept: string,
): Promise<boolean> {
  if (!('response' in fetched) || !isPlainSuccess(fetched.response)) return false;
  if (url.origin !== (await context.fileOrigin()).origin) return false;
  const options = { headers: { accept }, bodyBytesMax: HEAD_BYTES_MAX, attempts: 'once' } as const;
  const read = await context.read(url, 'page', options);
  return read.kind === 'absent';
}

function isPlainSuccess({ status, headers }: SiteResponse): boolean {
  return status >= 200 && status < 300 && parseMediaType(headers.get('content-type')).essence !== 'text/event-stream';
}
