import type { TargetState } from '../artifacts/manifests.js';
import { pointTo, pointToAnswer, safeText } from '../artifacts/safe-text.js';
import type { AgentInterface } from '../parsers/manifests/a2a.js';
import { STALLS } from '../probe/outcome.js';
import type { CollectContext } from '../probe/collector.js';
import type { Answer } from './endpoint-probe.js';
import { ALIVE_STATUSES, ask, isLikeControl, livenessOf, metadataOf } from './endpoint-probe.js';

const ACCEPT = 'application/json';
const NOT_IMPLEMENTED = 501;
/** An agent without an extended card or task list may return 501, a status that proxies do not produce. */
const ALIVE_TO_GET: ReadonlySet<number> = new Set([...ALIVE_STATUSES, NOT_IMPLEMENTED]);

/**
 * Checks by GET alone if an agent with the HTTP+JSON binding is alive. Its base URL need not exist, and the paths of operations depend on
 * what it supports, so 404 everywhere proves nothing. It is dead if every response is a server error or no connection is possible.
 */
export async function probeRest(context: CollectContext, agent: AgentInterface): Promise<TargetState> {
  const { name } = agent;
  let last: Answer | null = null;
  let isFailing = true;
  const addresses = addressesOf(agent);
  for (const url of addresses) {
    // A server error may be temporary, so the first URL is retried.
    last = await ask(context, url, { accept: ACCEPT, attempts: last === null ? 'standard' : 'once' });
    const liveness = livenessOf(last, ALIVE_TO_GET);
    if (liveness === 'alive' && !(await isLikeControl(context, url, last, { accept: ACCEPT }))) {
      return { name, state: 'alive', detail: safeText`answers`, metadata: metadataOf(last) };
    }
    if (typeof liveness === 'object') {
      return { name, state: isSilent(last) ? 'unknown' : liveness.state, detail: pointToAnswer(liveness.detail, url) };
    }
    isFailing &&= statusOf(last) >= 500;
  }
  const status = last === null ? 0 : statusOf(last);
  const [state, detail] = isFailing
    ? (['unreachable', safeText`answers with the server error ${status} on every try`] as const)
    : (['unknown', safeText`cannot be seen at the addresses that accept GET`] as const);
  return { name, state, detail: pointTo(detail, ...addresses.map((file) => ({ file, at: null }))) };
}

/**
 * Lists URLs that may answer GET. A2A 1.0 (a2a.proto, HTTP rules): `{url}[/{tenant}]/extendedAgentCard` and `/tasks`; A2A 0.3 §3.5.3:
 * under `/v1`. Every agent accepts POST at `/message:send`, where many answer GET with 405.
 */
function addressesOf({ url, binding, isOlderRest, tenant }: AgentInterface): readonly URL[] {
  if (binding !== 'rest') return [url];
  const base = url.pathname.replace(/\/$/, '');
  const older = base.endsWith('/v1') ? base : `${base}/v1`;
  const current = tenant === null ? base : `${base}/${tenant}`;
  const paths = isOlderRest
    ? [`${older}/card`, `${older}/tasks`, `${older}/message:send`]
    : [`${current}/extendedAgentCard`, `${current}/tasks`, `${current}/message:send`];
  return [...paths.map((path) => withPath(url, path)), url];
}

function withPath(url: URL, path: string): URL {
  const copy = new URL(url);
  copy.pathname = path;
  return copy;
}

/** True after a stall or reset: an endpoint may be slow for requests that no client sends. */
function isSilent({ fetched }: Answer): boolean {
  return 'failure' in fetched && (STALLS.has(fetched.failure) || fetched.failure === 'reset');
}

function statusOf({ fetched }: Answer): number {
  return 'response' in fetched ? fetched.response.status : 0;
}
