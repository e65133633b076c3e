import { ServiceError } from '../../platform/errors.js';
import { labelFrom } from '../../platform/label.js';
import { ignoreBody } from '../../platform/http/request-body.js';
import { runHeaders } from '../headers.js';
import type { Operation } from '../operation.js';

/** How long a client waits before it asks the process that takes this one's place. */
const RESTART_RETRY_AFTER_S = 10;

/** POST /api/v1/sites/{siteId}/runs: runs all checks now. A client that hangs up meanwhile changes nothing, and may ask again with its Idempotency-Key. */
export const operation: Operation<'createRun'> = {
  handler({ runs, lifecycle, publicUrl }) {
    return async ({ params: { siteId }, headers, admission: { accountId, keyId }, request }) => {
      await ignoreBody(request);
      if (lifecycle.isStopping) throw new ServiceError('overloaded', { retryAfterS: RESTART_RETRY_AFTER_S });
      const value = headers['idempotency-key'];
      const label = labelFrom(headers['x-run-label'] ?? '');
      const run = await runs.start({
        ...{ accountId, siteId, trigger: 'API' },
        ...(label && { label: { label, commit: null } }),
        ...(value && { idempotencyKey: { keyId, value } }),
      });
      const Location = `${publicUrl}/api/v1/sites/${run.siteId}/runs/${run.number}`;
      const replay = run.isReplay && ({ 'Idempotent-Replayed': 'true' } as const);
      const rateLimits = run.daily ? [run.daily] : [];
      return { status: 201, headers: { ...runHeaders(run), Location, ...replay }, rateLimits, body: run.body };
    };
  },
};
