import type { FailedFetch } from '../../net/failure.js';
import type { NamedMetadata, TargetState } from '../artifacts/manifests.js';
import { describeFailedFetch } from '../artifacts/resource.js';
import { addResponsePlace, type SafeText, safeText } from '../artifacts/safe-text.js';
import { isSuccess } from '../client/requests.js';
import type { Fetched, FetchOptions } from '../client/visit.js';
import { parseResourceMetadata } from '../parsers/headers.js';
import { isHtmlType, parseMediaType, headOf, looksLikeHtml } from '../parsers/text.js';
import type { CollectContext } from '../probe/context.js';
import { STALL_FAILURES, INCONCLUSIVE_FAILURES } from '../probe/outcome.js';
import { PRIVATE_DETAIL } from './documents.js';

/** An endpoint that a manifest lists, with its name for findings. */
export interface Endpoint {
  readonly name: SafeText;
  readonly url: URL;
}

/** A protocol's requests without side effects, sent in order until one succeeds. */
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
const JSON_RPC = /"jsonrpc"\s{0,9}:\s{0,9}"2\.0"/;

type State = Pick<TargetState, 'state' | 'detail'>;

const ALIVE: State = { state: 'alive', detail: safeText`answers` };
const RETURNS_A_PAGE: State = {
  state: 'unreachable',
  detail: safeText`returns a page of the site instead of answering as an endpoint`,
};

/**
 * Checks if an endpoint is alive: by GET, and if that is inconclusive, by a request of its protocol. Some endpoints answer GET with 404
 * or a web page, and an event stream may stay silent. A private address in a public document is the site's mistake.
 */
export async function probeEndpoint(
  context: CollectContext,
  { name, url }: Endpoint,
  protocol: Protocol,
): Promise<TargetState> {
  if (context.isPrivateLink(url)) return { name, state: 'invalid', detail: PRIVATE_DETAIL };
  const { accept, requests } = protocol;
  let last = await fetchStart(context, url, { headers: { accept }, attempts: 'once' });
  let state = await classifyGet(context, url, last, accept);
  if (state === ALIVE) {
    // POST-only endpoints send their challenge only to a POST.
    const isPostOnly = 'response' in last && last.response.status === 405;
    if (isPostOnly) last = await sendRequest(context, url, protocol, 0);
  } else if ('response' in last || isSilent(last)) {
    for (let index = 0; index < requests.length && state !== ALIVE; index += 1) {
      last = await sendRequest(context, url, protocol, index, index === requests.length - 1 ? 'standard' : 'once');
      state = classifyReply(last, ALIVE_TO_POST);
    }
  }
  return { name, ...addUrl(state, url), metadata: metadataOf(last) };
}

/** Checks if an endpoint speaks JSON-RPC, and collects the metadata documents that its challenges name. */
export async function probeJsonRpc(
  context: CollectContext,
  url: URL,
  protocol: Protocol,
): Promise<{ readonly isJsonRpc: boolean; readonly metadata: readonly NamedMetadata[] }> {
  const metadata: NamedMetadata[] = [];
  for (const index of protocol.requests.keys()) {
    const fetched = await sendRequest(context, url, protocol, index);
    metadata.push(...metadataOf(fetched));
    if (JSON_RPC.test(startOf(fetched))) return { isJsonRpc: true, metadata };
  }
  return { isJsonRpc: false, metadata };
}

/** Returns the metadata documents that a response's challenges name. */
export function metadataOf(fetched: Fetched): readonly NamedMetadata[] {
  if ('failure' in fetched) return [];
  const { headers, url: resource } = fetched.response;
  return parseResourceMetadata(headers.get('www-authenticate'), resource).map((url) => ({ url, resource }));
}

function sendRequest(
  context: CollectContext,
  url: URL,
  { accept, requests }: Protocol,
  index: number,
  attempts: 'standard' | 'once' = 'once',
): Promise<Fetched> {
  const { body = '', headers } = requests[index] ?? {};
  return fetchStart(context, url, {
    attempts,
    body,
    headers: { accept, 'content-type': 'application/json', ...headers },
  });
}

/** Fetches the URL, but reads only the start of the body. */
export function fetchStart({ visit }: CollectContext, url: URL, options: FetchOptions): Promise<Fetched> {
  return visit.fetch(url, { ...options, bodyBytesMax: HEAD_BYTES_MAX });
}

function startOf(fetched: Fetched): string {
  return 'response' in fetched ? headOf(fetched.response.body, HEAD_BYTES_MAX).toString() : '';
}

/** True after a stall or reset. An endpoint may not respond to a request that real clients never send. */
export function isSilent(fetched: Fetched): boolean {
  return 'failure' in fetched && (STALL_FAILURES.has(fetched.failure) || fetched.failure === 'reset');
}

/** Classifies the reply to a GET. An endpoint is dead if the site returns the same page for addresses that do not exist. */
export async function classifyGet(
  context: CollectContext,
  url: URL,
  fetched: Fetched,
  accept: string,
  aliveStatuses = ALIVE_STATUSES,
): Promise<State> {
  const state = classifyReply(fetched, aliveStatuses);
  if (state !== ALIVE || 'failure' in fetched) return state;
  const { status, headers } = fetched.response;
  const isStream = parseMediaType(headers.get('content-type')).essence === 'text/event-stream';
  if (!isSuccess(status) || isStream || url.origin !== (await context.fileOrigin()).origin) return state;
  const options = { headers: { accept }, bodyBytesMax: HEAD_BYTES_MAX, attempts: 'once' } as const;
  return (await context.read(url, 'page', options)).kind === 'absent' ? RETURNS_A_PAGE : state;
}

function classifyReply(fetched: Fetched, aliveStatuses: ReadonlySet<number>): State {
  if ('failure' in fetched) return stateOfFailure(fetched);
  const { status, headers, challenge } = fetched.response;
  if (challenge !== null) return { state: 'unknown', detail: safeText`returns a bot challenge from ${challenge}` };
  const isAccepted = isSuccess(status);
  const { essence } = parseMediaType(headers.get('content-type'));
  const start = startOf(fetched);
  if (JSON_RPC.test(start) || (isAccepted && essence === 'text/event-stream')) return ALIVE;
  if (isAccepted) return isHtmlType(essence) || looksLikeHtml(start) ? RETURNS_A_PAGE : ALIVE;
  if (aliveStatuses.has(status)) return ALIVE;
  const isDead = DEAD_STATUSES.has(status) || status >= 500;
  return { state: isDead ? 'unreachable' : 'unknown', detail: safeText`returns status ${status}` };
}

export function stateOfFailure(failed: FailedFetch): State {
  const { failure } = failed;
  if (STALL_FAILURES.has(failure)) return { state: 'unreachable', detail: safeText`does not answer in time` };
  const detail = safeText`cannot be reached: ${describeFailedFetch(failed)}`;
  return { state: INCONCLUSIVE_FAILURES.has(failure) ? 'unknown' : 'unreachable', detail };
}

/** Makes the detail point to the response from this URL. */
export function addUrl({ state, detail }: State, url: URL): State {
  return { state, detail: addResponsePlace(detail, url) };
}
