import type { Handlers } from '../handlers.js';
import type { Runs } from '../../app/runs/runs.js';
import { runHeaders } from '../run-headers.js';

/** GET /api/v1/sites/{siteId}/runs/latest: the completed run with the highest number. */
export function getLatestRun(runs: Pick<Runs, 'latest'>): Handlers['getLatestRun'] {
  return async ({ params: { siteId }, admission: { accountId } }) => {
    const run = await runs.latest({ accountId, siteId });
    return { status: 200, headers: runHeaders(run), body: run.body };
  };
}
