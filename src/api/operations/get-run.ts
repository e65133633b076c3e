import { runHeaders } from '../headers.js';
import type { Operation } from '../operation.js';

/** GET /api/v1/sites/{siteId}/runs/{number}: a past run, the same bytes at every read. */
export const operation: Operation<'getRun'> = {
  invalid: 'invalid_run_number',
  reads({ runs }) {
    return ({ params }) => runs.ask(params);
  },
  handler({ runs }) {
    return async ({ params: { siteId, number }, admission: { accountId }, asked }) => {
      const run = await runs.byNumber({ accountId, siteId, number }, asked);
      return { status: 200, headers: runHeaders(run), body: run.body };
    };
  },
};
