import { ServiceError } from '../../platform/errors.js';
import { ignoreBody } from '../../platform/http/request-body.js';
import { runHeaders } from '../headers.js';
import type { Operation } from '../operation.js';

/** How long a client waits before it asks the process that takes this one's place. */
const RESTART_RETRY_AFTER_S = 10;

/** POST /api/v1/sites/{siteId}/runs: runs all checks now. A client that hangs up meanwhile changes nothing. */
export const operation: Operation<'createRun'> = {
  handler({ runs, lifecycle, publicUrl }) {
    return async ({ params: { siteId }, admission: { accountId }, request }) => {
      await ignoreBody(request);
      if (lifecycle.isStopping) throw new ServiceError('overloaded', { retryAfterS: RESTART_RETRY_AFTER_S });
      const run = await runs.start({ accountId, siteId, trigger: 'API' });
      const Location = `${publicUrl}/api/v1/sites/${run.siteId}/runs/${run.number}`;
      return { status: 201, headers: { ...runHeaders(run), Location }, body: run.body };
    };
  },
};
