import { livePartsOf } from '../../../web/kit/components/progress.js';
import type { Part } from '../../part.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownSite } from '../../sites/pages/asked-site.js';

/** Streams the progress of a manual run, and leads to the run's page at its end. */
export const addProgressStream: Part = (router, { sites, manualRuns, streamEvents }) => {
  router.get('/sites/:siteId/progress', async (ctx) => {
    const { id } = await ownSite(ctx, { sites });
    streamEvents(ctx, (events) =>
      manualRuns.watch(id, (run) => {
        if (run.state === 'running') events.progress(livePartsOf(run.progress));
        else
          events.end(
            run.state === 'finished' && run.number !== null ? addressOf.run(id, run.number) : addressOf.site(id),
          );
      }),
    );
  });
};
