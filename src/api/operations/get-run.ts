import { runHeaders } from '../headers.js';
import type { Operation } from '../operation.js';

/** GET /api/v1/sites/{siteId}/runs/{number}: a past run, the same bytes at every read. */
export const operation: Operation<'getRun'> = {
  invalid: 'invalid_run_number',
  handler({ runs }) {
    return async ({ params: { siteId, number }, admission: { accountId } }) => {
      const run = await runs.byNumber({ accountId, siteId, number });
      return { status: 200, headers: runHeaders(run), body: run.body };
    };
  },
};
