import type { TargetState } from '../artifacts/manifests.js';
import { pointTo, pointToAnswer, safeText } from '../artifacts/safe-text.js';
import type { AgentInterface } from '../parsers/manifests/a2a.js';
import { STALLS } from '../probe/outcome.js';
import type { CollectContext } from '../probe/collector.js';
import type { Answer } from './endpoint-probe.js';
import { ALIVE_STATUSES, ask, isLikeControl, lifeOf, metadataOf } from './endpoint-probe.js';

const ACCEPT = 'application/json';
const NOT_IMPLEMENTED = 501;
/** An agent without an extended card or a list of tasks may say so with 501, which proxies do not make up. */
const ALIVE_TO_GET: ReadonlySet<number> = new Set([...ALIVE_STATUSES, NOT_IMPLEMENTED]);

/**
 * Whether an agent with the HTTP+JSON binding is alive, by GET alone. Nothing need be at its base URL, and what is at the
 * operations' paths depends on what it can do; so 404 everywhere proves nothing. It is dead if every answer is a server error,
 * or if no connection is possible.
 */
export async function probeRest(context: CollectContext, agent: AgentInterface): Promise<TargetState> {
  const { name } = agent;
  let last: Answer | null = null;
  let isFailing = true;
  const addresses = addressesOf(agent);
  for (const url of addresses) {
    // A server error may be momentary; the first address gets further tries.
    last = await ask(context, url, { accept: ACCEPT, attempts: last === null ? 'standard' : 'once' });
    const life = lifeOf(last, ALIVE_TO_GET);
    if (life === 'alive' && !(await isLikeControl(context, url, last, { accept: ACCEPT }))) {
      return { name, state: 'alive', detail: safeText`answers`, metadata: metadataOf(last) };
    }
    if (typeof life === 'object') {
      return { name, state: isSilent(last) ? 'unknown' : life.state, detail: pointToAnswer(life.detail, url) };
    }
    isFailing &&= statusOf(last) >= 500;
  }
  const status = last === null ? 0 : statusOf(last);
  const [state, detail] = isFailing
    ? (['unreachable', safeText`answers with the server error ${status} on every try`] as const)
    : (['unknown', safeText`does not show itself at the addresses that can be asked with GET`] as const);
  return { name, state, detail: pointTo(detail, ...addresses.map((file) => ({ file, at: null }))) };
}

/**
 * A2A 1.0 (a2a.proto, HTTP rules): `{url}[/{tenant}]/extendedAgentCard` and `/tasks`; A2A 0.3 §3.5.3: under `/v1`. An agent may offer
 * neither, but each takes a message by POST at `/message:send`, where many answer a GET with 405.
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

/** It may only be slow to answer what nobody else asks. */
function isSilent({ fetched }: Answer): boolean {
  return 'failure' in fetched && (STALLS.has(fetched.failure) || fetched.failure === 'reset');
}

function statusOf({ fetched }: Answer): number {
  return 'response' in fetched ? fetched.response.status : 0;
}
