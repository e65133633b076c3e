import { PLANS } from '../../src/app/accounts/plan.js';
import type { ErrorCode } from '../../src/platform/errors.js';
import { isId } from '../../src/platform/ids.js';
import type { OperationId } from '../../src/api/operation.js';
import { CONTRACT_OPERATIONS } from '../support/contract.js';
import type { Sent } from './fuzz-scene.js';
import type { KeyBook, SiteBook, World } from './fuzz-world.js';

/** What the answer to a sound request must be. */
export interface Expected {
  readonly operationId: OperationId | null;
  /** `ok`: whatever is the operation's success. `elsewhere`: it is for another room than the API. */
  readonly outcome: 'ok' | 'elsewhere' | ErrorCode;
  /** Whose month the request is counted in. */
  readonly key?: KeyBook;
  readonly site?: SiteBook;
  /** The run that is read. */
  readonly number?: number;
}

const BODY_BYTES_MAX = 64 * 1024;
const RUNS_A_DAY = 5;
/** A larger number cannot exist, whosesoever the site is. */
const NUMBER_MAX = 2_147_483_647;

/** Says from the book alone what a request gets: route, key, plan, quota, parameters and size, site, verification, budget. */
export function expectOf(world: World, sent: Sent): Expected {
  const path = pathOf(sent.target);
  if (roomOf(path) !== 'api') return { operationId: null, outcome: 'elsewhere' };
  const method = sent.method === 'HEAD' ? 'GET' : sent.method;
  const routes = path === '/healthz' || path === '/readyz' ? [PROBE] : routesOf(path);
  if (routes.length === 0) return { operationId: null, outcome: 'not_found' };
  if (method === 'OPTIONS') return { operationId: null, outcome: 'ok' };
  const route = routes.find((candidate) => candidate.method === method);
  if (!route) return { operationId: null, outcome: 'method_not_allowed' };
  const { operationId, siteId, number } = route;
  if (operationId === null || operationId === 'description') return { operationId, outcome: 'ok' };

  const admitted = admit(world, sent.authorization);
  if (typeof admitted === 'string') return { operationId, outcome: admitted };
  const answer = (outcome: Expected['outcome'], more: Partial<Expected> = {}): Expected => ({
    ...{ operationId, outcome, key: admitted },
    ...more,
  });
  if (operationId === 'getRun' && !/^[1-9][0-9]*$/.test(number)) return answer('invalid_run_number');
  if (operationId === 'createRun' && sent.bodyBytes > BODY_BYTES_MAX) return answer('payload_too_large');
  if (isId('site', siteId) && Number(number) > NUMBER_MAX) return answer('run_not_found');
  if (isId('site', siteId) && world.trouble.fault !== null) return answer(world.trouble.fault);
  const site = world.book.sites.get(siteId);
  if (!site || site.isRemoved) return answer('site_not_found');
  if (site.account !== admitted.account) return answer('site_not_owned');
  if (operationId === 'createRun') {
    if (!site.isVerified) return answer('domain_not_verified');
    const isSpent = (site.startsByDay.get(world.day()) ?? 0) >= RUNS_A_DAY;
    return isSpent ? answer('daily_runs_exceeded') : answer('ok', { site });
  }
  const wanted = operationId === 'getLatestRun' ? site.runs.length : Number(number);
  if (site.runs[wanted - 1] !== undefined) return answer('ok', { site, number: wanted });
  return answer(operationId === 'getLatestRun' ? 'no_completed_run' : 'run_not_found');
}

interface Route {
  readonly method: string;
  readonly operationId: OperationId | null;
  readonly siteId: string;
  readonly number: string;
}
const PROBE: Route = { method: 'GET', operationId: null, siteId: '', number: '' };

/** The operations at a path; a word of a template goes before its parameters. */
function routesOf(path: string): Route[] {
  let segments: string[];
  try {
    segments = path.split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
  const routes = CONTRACT_OPERATIONS.flatMap(({ path: template, method, object: { operationId } }) => {
    const parts = template.split('/');
    const isMatch =
      parts.length === segments.length &&
      parts.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : segments[index] === part));
    const valueOf = (name: string) => segments[parts.indexOf(name)] ?? '';
    return isMatch ? [{ method, operationId, siteId: valueOf('{siteId}'), number: valueOf('{number}') }] : [];
  });
  const isLatest = routes.some(({ operationId }) => operationId === 'getLatestRun');
  return isLatest ? routes.filter(({ operationId }) => operationId !== 'getRun') : routes;
}

/** The rooms behind the front door. */
export type Room = 'api' | 'hooks' | 'mcp' | 'metrics' | 'web';

/** Who answers at this path. */
export function roomOf(path: string): Room {
  if (path === '' || path === '/healthz' || path === '/readyz' || /^\/api(\/|$)/.test(path)) return 'api';
  if (path === '/metrics') return 'metrics';
  if (path === '/mcp') return 'mcp';
  return path.startsWith('/hooks/') ? 'hooks' : 'web';
}

export function pathOf(target: string): string {
  if (target.startsWith('/')) return target.replace(/[?#].*$/s, '');
  return URL.canParse(target) ? new URL(target).pathname : '';
}

function admit(world: World, authorization: string | undefined): KeyBook | ErrorCode {
  const [scheme = '', text = '', ...rest] = (authorization ?? '').replaceAll(/^[ \t]+|[ \t]+$/g, '').split(/[ \t]+/);
  if (scheme.toLowerCase() !== 'bearer' || text === '') return 'missing_api_key';
  const key = rest.length > 0 ? undefined : world.book.keys.get(text);
  if (!key || key.isRevoked) return 'invalid_api_key';
  const plan = PLANS[key.account.plan];
  if (!plan.api) return 'plan_without_api';
  return usedOf(world, key) < plan.monthlyQuota ? key : 'monthly_quota_exceeded';
}

export function usedOf(world: World, key: KeyBook): number {
  return key.usedByMonth.get(world.month()) ?? 0;
}
