import type { Handlers } from '../handlers.js';
import type { Runs } from '../../app/runs/runs.js';
import { runHeaders } from '../run-headers.js';

/** GET /api/v1/sites/{siteId}/runs/{number}: a past run, the same bytes at every read. */
export function getRun(runs: Pick<Runs, 'byNumber'>): Handlers['getRun'] {
  return async ({ params: { siteId, number }, admission: { accountId } }) => {
    const run = await runs.byNumber({ accountId, siteId, number });
    return { status: 200, headers: runHeaders(run), body: run.body };
  };
}
