import { ServiceError } from '../platform/errors.js';
import { entityTagOf } from '../platform/http/answer.js';
import { cacheCodings } from '../platform/http/coding.js';
import { ignoreBody } from '../platform/http/request.js';
import { labelFrom } from '../platform/label.js';
import type { StoredRun } from '../app/runs/run.js';
import type { ApiServices, Operation, OperationId } from './operation.js';

/** When to ask the process that replaces this one. */
const RESTART_RETRY_AFTER_S = 10;

const MAILTO = 'mailto:';

/** Every operation of the document: the compiler requires each, and no other. */
export function createOperations(services: ApiServices): { readonly [Id in OperationId]: Operation<Id> } {
  const { runs, lifecycle, publicUrl } = services;
  const description = describe(services);
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
    getLatestRun: {
      reads: ({ params }) => runs.ask(params),
      async handle({ params: { siteId }, admission: { accountId }, asked }) {
        const run = await runs.latest({ accountId, siteId }, asked);
        return { status: 200, headers: runHeaders(run), body: run.body };
      },
    },
    getRun: {
      invalid: 'invalid_run_number',
      reads: ({ params }) => runs.ask(params),
      async handle({ params: { siteId, number }, admission: { accountId }, asked }) {
        const run = await runs.byNumber({ accountId, siteId, number }, asked);
        return { status: 200, headers: runHeaders(run), body: run.body };
      },
    },
    description: { handle: () => Promise.resolve(description) },
  };
}

/** The caching headers of a finished run. It never changes, but who may read it does, so a cache has to ask each time. */
function runHeaders(run: StoredRun): { readonly ETag: string; readonly 'Cache-Control': string } {
  return { ETag: run.etag, 'Cache-Control': 'private, no-cache' };
}

/** The document with the address of this service and of its operator. Pages of every origin may read it. */
function describe({ document, publicUrl, contact = null }: ApiServices) {
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

/** A contact object has a field for each kind of address (OpenAPI 3.1, "Contact Object"). */
function contactOf(contact: string | null): { readonly email?: string; readonly url?: string } {
  if (contact === null) return {};
  return contact.startsWith(MAILTO) ? { email: contact.slice(MAILTO.length) } : { url: contact };
}
