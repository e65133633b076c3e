import type { TargetState } from '../artifacts/manifests.js';
import { describeFailure } from '../artifacts/resource.js';
import type { FetchFailure } from '../../net/failure.js';
import type { SafeText } from '../artifacts/safe-text.js';
import { pointToAnswer, safeText } from '../artifacts/safe-text.js';
import { parseResourceMetadata } from '../parsers/header-values.js';
import { isHtmlType, parseMediaType } from '../parsers/media-type.js';
import { looksLikeHtml } from '../parsers/text.js';
import { detectChallenge } from '../client/challenge.js';
import type { CollectContext } from '../probe/collector.js';
import { STALLS, UNSURE } from '../probe/outcome.js';
import type { Fetched, FetchOptions, SiteResponse } from '../client/visit.js';

/** An endpoint that a manifest names, with its name for findings. */
export interface Endpoint {
  readonly name: SafeText;
  readonly url: URL;
}

/** A protocol's own request: messages that change nothing, sent one after the other until one is answered. */
export interface OwnWay {
  readonly accept: string;
  readonly requests: readonly Pick<FetchOptions, 'body' | 'headers'>[];
}

/**
 * Statuses with which a live endpoint may answer a plain GET: it wants a token (401, 403), a payment (402), other headers or a
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

type Life = 'alive' | 'dead' | (Pick<TargetState, 'detail'> & { readonly state: 'unreachable' | 'unknown' | 'moved' });

/**
 * Whether an endpoint is alive: by a GET, and if that is inconclusive, by the protocol's own request. Some endpoints answer GET
 * with 404 or a page for people, and an event stream may stay silent for ever.
 */
export async function probeEndpoint(context: CollectContext, endpoint: Endpoint, way: OwnWay): Promise<TargetState> {
  const { name, url } = endpoint;
  const { last, ...life } = await findLife(context, url, way);
  return { name, ...life, detail: pointToAnswer(life.detail, url), metadata: metadataOf(last) };
}

interface FoundLife extends Pick<TargetState, 'state' | 'detail'> {
  readonly last: Answer;
}

async function findLife(context: CollectContext, url: URL, way: OwnWay): Promise<FoundLife> {
  const first = await ask(context, url, { accept: way.accept, attempts: 'once' });
  let life = lifeOf(first, ALIVE_STATUSES);
  if (life === 'alive' && (await isLikeControl(context, url, first, way))) life = 'dead';
  if (life === 'alive') return { ...ALIVE, last: first };
  let last = first;
  if (isAnswerPossible(first)) {
    for (const [index, request] of way.requests.entries()) {
      const isLast = index === way.requests.length - 1;
      last = await askOwnWay(context, url, way, request, isLast ? 'standard' : 'once');
      life = lifeOf(last, ALIVE_TO_POST);
      if (life === 'alive') return { ...ALIVE, last };
    }
  }
  return { ...(life === 'dead' ? describeDead(last) : life), last };
}

/** Whether an endpoint speaks JSON-RPC when sent the protocol's own request, and what its challenges name. */
export async function askJsonRpc(
  context: CollectContext,
  url: URL,
  way: OwnWay,
): Promise<{ readonly isJsonRpc: boolean; readonly metadata: readonly URL[] }> {
  const metadata: URL[] = [];
  for (const request of way.requests) {
    const answer = await askOwnWay(context, url, way, request, 'once');
    metadata.push(...metadataOf(answer));
    if (JSON_RPC.test(answer.head)) return { isJsonRpc: true, metadata };
  }
  return { isJsonRpc: false, metadata };
}

export function metadataOf({ fetched }: Answer): readonly URL[] {
  if ('failure' in fetched) return [];
  const { headers, url } = fetched.response;
  return parseResourceMetadata(headers.get('www-authenticate'), url);
}

/** After an inconclusive GET, a 405 only says that POST is not accepted either. */
const ALIVE_TO_POST: ReadonlySet<number> = new Set([...ALIVE_STATUSES].filter((status) => status !== 405));

function askOwnWay(
  context: CollectContext,
  url: URL,
  { accept }: OwnWay,
  { body, headers }: OwnWay['requests'][number],
  attempts: 'standard' | 'once',
): Promise<Answer> {
  return ask(context, url, {
    method: 'POST',
    accept,
    attempts,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

/** Reads only the head of the body: an event stream has no end. */
export async function ask({ visit }: CollectContext, url: URL, options: FetchOptions): Promise<Answer> {
  let head = Buffer.alloc(0);
  const sink = (chunk: Uint8Array, offset: number): boolean => {
    head = Buffer.concat(offset === 0 ? [chunk] : [head, chunk]);
    return head.length < HEAD_BYTES_MAX && !EVENT_STREAM_START.test(head.toString('latin1', 0, 100));
  };
  const fetched = await visit.fetch(url, { ...options, sink });
  // A sink sees successes only; for any other answer the start of the body is kept.
  const kept = 'response' in fetched ? fetched.response.body.subarray(0, HEAD_BYTES_MAX) : head;
  return { fetched, head: Buffer.from(kept.length > 0 ? kept : head).toString() };
}

/** Whether another request could be answered: not if no connection is possible. */
function isAnswerPossible({ fetched }: Answer): boolean {
  return 'response' in fetched || STALLS.has(fetched.failure) || fetched.failure === 'reset';
}

export function lifeOf({ fetched, head }: Answer, aliveStatuses: ReadonlySet<number>): Life {
  if ('failure' in fetched) return lifeOfFailure(fetched.failure);
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

/** What a failure says of a target that a document names. */
export function lifeOfFailure(failure: FetchFailure): Exclude<Life, string> {
  if (failure === 'moved')
    return { state: 'moved', detail: safeText`redirects to the domain that the site has moved to` };
  if (STALLS.has(failure)) return { state: 'unreachable', detail: safeText`gives no answer in time` };
  const detail = safeText`cannot be reached: ${describeFailure(failure)}`;
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

/** Whether a site that answers anything with success answers here as it does at a nonexistent path. */
export async function isLikeControl(
  context: CollectContext,
  url: URL,
  { fetched }: Answer,
  way: Pick<OwnWay, 'accept'>,
): Promise<boolean> {
  if (!('response' in fetched) || !isPlainSuccess(fetched.response)) return false;
  if (url.origin !== (await context.fileOrigin()).origin) return false;
  const options = { accept: way.accept, bodyBytesMax: HEAD_BYTES_MAX, attempts: 'once' } as const;
  const read = await context.read(url, 'page', options);
  return 'ok' in read && read.ok.kind === 'absent';
}

function isPlainSuccess({ status, headers }: SiteResponse): boolean {
  return status >= 200 && status < 300 && parseMediaType(headers.get('content-type')).essence !== 'text/event-stream';
}
