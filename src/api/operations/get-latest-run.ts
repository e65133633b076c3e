import { runHeaders } from '../headers.js';
import type { Operation } from '../operation.js';

/** GET /api/v1/sites/{siteId}/runs/latest: the completed run with the highest number. */
export const operation: Operation<'getLatestRun'> = {
  reads({ runs }) {
    return ({ params }) => runs.ask(params);
  },
  handler({ runs }) {
    return async ({ params: { siteId }, admission: { accountId }, asked }) => {
      const run = await runs.latest({ accountId, siteId }, asked);
      return { status: 200, headers: runHeaders(run), body: run.body };
    };
  },
};
