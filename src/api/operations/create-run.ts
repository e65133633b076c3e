import { ServiceError } from '../../platform/errors.js';
import { ignoreBody } from '../../platform/http/request-body.js';
import type { Handlers } from '../handlers.js';
import type { Lifecycle } from '../../platform/lifecycle.js';
import type { Runs } from '../../app/runs/runs.js';
import { runHeaders } from '../run-headers.js';

/** How long a client waits before it asks the process that takes this one's place. */
const RESTART_RETRY_AFTER_S = 10;

/** POST /api/v1/sites/{siteId}/runs: runs all checks now. A client that hangs up meanwhile changes nothing. */
export function createRun(runs: Pick<Runs, 'start'>, lifecycle: Lifecycle, publicUrl: string): Handlers['createRun'] {
  return async ({ params: { siteId }, admission: { accountId }, request }) => {
    await ignoreBody(request);
    if (lifecycle.isStopping) throw new ServiceError('overloaded', { retryAfterS: RESTART_RETRY_AFTER_S });
    const run = await runs.start({ accountId, siteId, trigger: 'API' });
    const location = `${publicUrl}/api/v1/sites/${run.siteId}/runs/${run.number}`;
    return { status: 201, headers: { ...runHeaders(run), Location: location }, body: run.body };
  };
}
