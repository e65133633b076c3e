import type Koa from 'koa';
import type { Middleware } from 'koa';
import { utcDayStart, utcMonthStart } from '../platform/clock.js';
import { type RateLimit, type Refusal, ServiceError } from '../platform/errors.js';
import { cacheCodings, entityTagOf, sendJson, setAllow } from '../platform/http/answer.js';
import { createHttpApp } from '../platform/http/app.js';
import { challengeOf, ignoreBody, pathOf } from '../platform/http/request.js';
import { labelFrom } from '../platform/label.js';
import type { StoredRun } from '../app/runs/run.js';
import type { AnyOperation, ApiContext, ApiServices, ApiState, Operation, OperationId } from './operation.js';
import { compileRoutes, type Route, segmentsOf } from './routes.js';

/** The API. Every answer is JSON with a request id, and no input causes a 500. */
export async function createApi(services: ApiServices): Promise<Koa<ApiState>> {
  const app = createHttpApp<ApiState>({
    ...services,
    name: 'api',
    onRefusal: (ctx, refusal) => setRefusalHeaders(ctx, refusal, services.clock.now()),
    initialState: { admission: null },
    logFields: ({ admission }) => (admission ? { accountId: admission.accountId, keyId: admission.keyId } : {}),
  });
  app.use(await answerOperations(services));
  return app;
}

/** Refunds a request that is not charged, then sets the headers, so that they show the true remainder. */
async function setRefusalHeaders(ctx: ApiContext, refusal: Refusal, now: Date): Promise<void> {
  if (refusal.status === 401) {
    ctx.set('WWW-Authenticate', challengeOf('agent-readiness', refusal.code !== 'missing_api_key'));
  }
  const { rateLimit, isChargeReturned = false } = refusal instanceof ServiceError ? refusal : {};
  const { admission } = ctx.state;
  const month = isChargeReturned ? await admission?.refund() : admission?.rateLimit;
  const limits = [month, rateLimit].filter((limit) => limit !== undefined);
  setRateLimits(ctx, limits, now);
}

/**
 * Answers the operations of the document. The order of refusals is: route (404, 405), key, plan and quota (`access.admit`), parameters
 * (400), operation. HEAD is answered as GET; OPTIONS costs nothing and needs no key.
 */
async function answerOperations(services: ApiServices): Promise<Middleware<ApiState>> {
  const operations = createOperations(services) as unknown as Readonly<Record<string, AnyOperation>>;
  const routes = await compileRoutes(services.document);
  return async (ctx) => {
    const { url = '', headers } = ctx.req;
    const segments = segmentsOf(pathOf(url));
    const matching = routes.filter((route) => route.matches(segments));
    if (matching.length === 0) throw new ServiceError('not_found');
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const route = matching.find((one) => one.method === method);
    const operation = operations[route?.id ?? ''];
    if (!route || !operation) {
      answerOptions(ctx, matching);
      return;
    }
    ctx.state.route = route.path;
    const parsed = route.read(segments, headers);
    const runRequest = parsed ? operation.prepareRead?.(parsed) : undefined;
    if (route.needsKey) ctx.state.admission = await services.access.admit(headers.authorization, runRequest);
    // The document restricts no other parameter.
    if (!parsed) throw new ServiceError('invalid_run_number');
    const { admission } = ctx.state;
    const answer = await operation.handle({ ...parsed, runRequest, admission, request: ctx.req });
    if (admission) setRateLimits(ctx, [admission.rateLimit, ...(answer.rateLimits ?? [])], services.clock.now());
    Object.assign(ctx.state.headers, answer.headers);
    sendJson(ctx, answer.status, answer.body);
  };
}

/** @throws ServiceError method_not_allowed */
function answerOptions(ctx: ApiContext, matching: readonly Route[]): void {
  setAllow(ctx, [...new Set(matching.map(({ method }) => method))]);
  if (ctx.method !== 'OPTIONS') throw new ServiceError('method_not_allowed');
  // Web pages may read and revalidate the document. A browser first asks whether they may send If-None-Match.
  if (matching.some(({ id }) => id === 'description')) {
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Allow-Headers', 'If-None-Match');
  }
  ctx.status = 204;
}

/**
 * Sets the headers for the monthly quota and, if known, the site's daily budget, including those of draft-ietf-httpapi-ratelimit-headers
 * (revision 11 of May 2026).
 */
function setRateLimits({ state: { headers } }: ApiContext, rateLimits: readonly RateLimit[], now: Date): void {
  const [month] = rateLimits;
  if (!month) return;
  headers['X-RateLimit-Limit'] = String(month.limit);
  headers['X-RateLimit-Remaining'] = String(month.remaining);
  headers['X-RateLimit-Reset'] = String(secondsBetween(now, endOf(month)));
  headers['RateLimit-Policy'] = toList(rateLimits, (it) => `q=${it.limit};w=${secondsBetween(startOf(it), endOf(it))}`);
  headers.RateLimit = toList(rateLimits, (it) => `r=${it.remaining};t=${secondsBetween(now, endOf(it))}`);
}

/** Returns a List of Strings with parameters (RFC 9651). */
function toList(rateLimits: readonly RateLimit[], parametersOf: (rateLimit: RateLimit) => string): string {
  return rateLimits.map((rateLimit) => `"${rateLimit.policy}";${parametersOf(rateLimit)}`).join(', ');
}

/** Returns the start of the limit's window, or of one that is `later` windows later. */
function startOf({ policy, at }: RateLimit, later = 0): Date {
  return policy === 'day' ? utcDayStart(at, later) : utcMonthStart(at, later);
}

function endOf(rateLimit: RateLimit): Date {
  return startOf(rateLimit, 1);
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.ceil((to.getTime() - from.getTime()) / 1000));
}

/** Time after which the process that replaces this one should be up. */
const RESTART_RETRY_AFTER_S = 10;

const MAILTO = 'mailto:';

/** Creates the operations. The types of the document require exactly these. */
function createOperations(services: ApiServices): { readonly [Id in OperationId]: Operation<Id> } {
  const { runs, lifecycle, publicUrl } = services;
  const description = createDescription(services);
  const readRun: Operation<'getLatestRun'> & Operation<'getRun'> = {
    prepareRead: ({ params }) => runs.prepareRead(params),
    async handle({ params, admission: { accountId }, runRequest }) {
      const run = await runs.read({ accountId, ...params }, runRequest);
      return { status: 200, headers: runHeaders(run), body: run.body };
    },
  };
  return {
    createRun: {
      async handle({ params: { siteId }, headers, admission: { accountId, keyId }, request }) {
        await ignoreBody(request);
        if (lifecycle.isStopping) throw new ServiceError('overloaded', { retryAfterS: RESTART_RETRY_AFTER_S });
        const value = headers['idempotency-key'];
        const label = labelFrom(headers['x-run-label'] ?? '');
        const run = await runs.start({
          accountId,
          siteId,
          trigger: 'API',
          ...(label && { label: { label, commit: null } }),
          ...(value && { idempotencyKey: { keyId, value } }),
        });
        const Location = `${publicUrl}/api/v1/sites/${run.siteId}/runs/${run.number}`;
        const replay = run.isReplay && ({ 'Idempotent-Replayed': 'true' } as const);
        const rateLimits = run.daily ? [run.daily] : [];
        return { status: 201, headers: { ...runHeaders(run), Location, ...replay }, rateLimits, body: run.body };
      },
    },
    getLatestRun: readRun,
    getRun: readRun,
    description: { handle: () => Promise.resolve(description) },
  };
}

/** Returns the caching headers of a finished run. It never changes, but access to it does, so caches must revalidate. */
function runHeaders(run: StoredRun): { readonly ETag: string; readonly 'Cache-Control': string } {
  return { ETag: run.etag, 'Cache-Control': 'private, no-cache' };
}

/** Returns the document with this service's URL and its operator's contact. Web pages of any origin may read it. */
function createDescription({ document, publicUrl, contact = null }: ApiServices) {
  const info = { ...document.info, contact: { ...document.info.contact, ...contactOf(contact) } };
  const body = Buffer.from(JSON.stringify({ ...document, info, servers: [{ url: publicUrl }] }));
  cacheCodings(body, 'best');
  const headers = {
    ETag: entityTagOf(body),
    'Cache-Control': 'public, max-age=300',
    'Access-Control-Allow-Origin': '*',
  } as const;
  return { status: 200, headers, body } as const;
}

/** Returns a contact object, which has a field for each kind of address (OpenAPI 3.1, "Contact Object"). */
function contactOf(contact: string | null): { readonly email?: string; readonly url?: string } {
  if (contact === null) return {};
  return contact.startsWith(MAILTO) ? { email: contact.slice(MAILTO.length) } : { url: contact };
}
