import type { FailedFetch } from '../../net/failure.js';
import type { NamedMetadata, TargetState } from '../artifacts/manifests.js';
import { describeFailedFetch } from '../artifacts/resource.js';
import { pointToAnswer, type SafeText, safeText } from '../artifacts/safe-text.js';
import { detectChallenge } from '../client/challenge.js';
import type { Fetched, FetchOptions } from '../client/visit.js';
import { parseResourceMetadata } from '../parsers/header-values.js';
import { isHtmlType, parseMediaType } from '../parsers/media-type.js';
import { looksLikeHtml } from '../parsers/text.js';
import type { CollectContext } from '../probe/context.js';
import { STALLS, UNSURE } from '../probe/outcome.js';
import { PRIVATE_DETAIL } from './documents.js';

/** An endpoint that a manifest lists, with its name for findings. */
export interface Endpoint {
  readonly name: SafeText;
  readonly url: URL;
}

/** Requests of a protocol that change nothing, sent in sequence until one succeeds. */
export interface Protocol {
  readonly accept: string;
  readonly requests: readonly { readonly body: string; readonly headers?: FetchOptions['headers'] }[];
}

/**
 * Statuses that a live endpoint may return for a plain GET: it wants a token (401, 403), a payment (402), other headers or a
 * body (400, 406, 415), or another method (405).
 */
export const ALIVE_STATUSES: ReadonlySet<number> = new Set([400, 401, 402, 403, 405, 406, 415]);
/** After an inconclusive GET, a 405 only shows that POST is not accepted either. */
const ALIVE_TO_POST: ReadonlySet<number> = new Set([...ALIVE_STATUSES].filter((status) => status !== 405));
/** 451: unavailable for legal reasons. */
const DEAD_STATUSES: ReadonlySet<number> = new Set([404, 405, 410, 451]);

const HEAD_BYTES_MAX = 16_384;
const EVENT_STREAM_START = /^\s{0,9}(?:event|data|id|retry)?:/;
const JSON_RPC = /"jsonrpc"\s{0,9}:\s{0,9}"2\.0"/;

export interface Answer {
  readonly fetched: Fetched;
  /** The first bytes of the body as text. */
  readonly head: string;
}

type State = Pick<TargetState, 'state' | 'detail'>;

const ALIVE: State = { state: 'alive', detail: safeText`answers` };

type Liveness = 'alive' | 'dead' | (State & { readonly state: 'unreachable' | 'unknown' });

/**
 * Checks if an endpoint is alive: by GET, and if that is inconclusive, by a request of its protocol. Some endpoints answer GET with 404
 * or a page for people, and an event stream may stay silent. A private address in a public document is a mistake of the site.
 */
export async function probeEndpoint(
  context: CollectContext,
  { name, url }: Endpoint,
  protocol: Protocol,
): Promise<TargetState> {
  if (context.isPrivateLink(url)) return { name, state: 'invalid', detail: PRIVATE_DETAIL };
  const { accept, requests } = protocol;
  const first = await ask(context, url, { headers: { accept }, attempts: 'once' });
  let last = first;
  let liveness = livenessOf(first, ALIVE_STATUSES);
  if (liveness === 'alive' && (await isLikeControl(context, url, first, accept))) liveness = 'dead';
  if (liveness === 'alive') {
    // POST-only endpoints send their challenge only to a POST.
    const isPostOnly = 'response' in first.fetched && first.fetched.response.status === 405;
    if (isPostOnly) last = await askBy(context, url, protocol, 0);
  } else if (isReachable(first)) {
    for (let at = 0; at < requests.length && liveness !== 'alive'; at += 1) {
      last = await askBy(context, url, protocol, at, at === requests.length - 1 ? 'standard' : 'once');
      liveness = livenessOf(last, ALIVE_TO_POST);
    }
  }
  const { state, detail } = liveness === 'alive' ? ALIVE : liveness === 'dead' ? describeDead(last) : liveness;
  return { name, state, detail: pointToAnswer(detail, url), metadata: metadataOf(last) };
}

/** Checks if an endpoint speaks JSON-RPC, and collects the metadata that its challenges name. */
export async function askJsonRpc(
  context: CollectContext,
  url: URL,
  protocol: Protocol,
): Promise<{ readonly isJsonRpc: boolean; readonly metadata: readonly NamedMetadata[] }> {
  const metadata: NamedMetadata[] = [];
  for (const at of protocol.requests.keys()) {
    const answer = await askBy(context, url, protocol, at);
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

/** Sends one of the protocol's requests. */
function askBy(
  context: CollectContext,
  url: URL,
  { accept, requests }: Protocol,
  at: number,
  attempts: 'standard' | 'once' = 'once',
): Promise<Answer> {
  const { body = '', headers } = requests[at] ?? {};
  return ask(context, url, { attempts, body, headers: { accept, 'content-type': 'application/json', ...headers } });
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
  if (vendor !== null) return { state: 'unknown', detail: safeText`returns a bot challenge from ${vendor}` };
  const isSuccess = status >= 200 && status < 300;
  const { essence } = parseMediaType(response.headers.get('content-type'));
  if (JSON_RPC.test(head) || (isSuccess && essence === 'text/event-stream')) return 'alive';
  if (isSuccess) return isHtmlType(essence) || looksLikeHtml(head) ? 'dead' : 'alive';
  if (aliveStatuses.has(status)) return 'alive';
  if (DEAD_STATUSES.has(status) || status >= 500) return 'dead';
  return { state: 'unknown', detail: safeText`returns status ${status}` };
}

/** Classifies a failed request to a target that a document lists. */
export function livenessOfFailure(failed: FailedFetch): Exclude<Liveness, string> {
  const { failure } = failed;
  if (STALLS.has(failure)) return { state: 'unreachable', detail: safeText`does not answer in time` };
  const detail = safeText`cannot be reached: ${describeFailedFetch(failed)}`;
  return { state: UNSURE.has(failure) ? 'unknown' : 'unreachable', detail };
}

function describeDead({ fetched }: Answer): State {
  const status = 'response' in fetched ? fetched.response.status : 0;
  const detail =
    status >= 200 && status < 300
      ? safeText`returns a page of the site instead of answering as an endpoint`
      : safeText`returns status ${status}`;
  return { state: 'unreachable', detail };
}

/** True if the site answers this URL like a nonexistent path, because it answers everything with success. */
export async function isLikeControl(
  context: CollectContext,
  url: URL,
  { fetched }: Answer,
  accept: string,
): Promise<boolean> {
  if (!('response' in fetched)) return false;
  const { status, headers } = fetched.response;
  const isStream = parseMediaType(headers.get('content-type')).essence === 'text/event-stream';
  if (status < 200 || status > 299 || isStream) return false;
  if (url.origin !== (await context.fileOrigin()).origin) return false;
  const options = { headers: { accept }, bodyBytesMax: HEAD_BYTES_MAX, attempts: 'once' } as const;
  return (await context.read(url, 'page', options)).kind === 'absent';
}
