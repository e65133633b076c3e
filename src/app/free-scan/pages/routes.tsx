import { ServiceError } from '../../../platform/errors.js';
import { isSiteHostname } from '../../sites/site-input.js';
import { Progress, REFRESH, stepOf, type Steps } from '../../../web/components/progress.js';
import { paramOf, type RouteContext, seeOther } from '../../../web/context.js';
import { addForm, fieldOf } from '../../../web/form.js';
import { Heading } from '../../../web/layout.js';
import { streamEvents } from '../../../web/live.js';
import type { Page } from '../../../web/page.js';
import type { Part, PartDeps } from '../../../web/part.js';
import { addressOf } from './addresses.js';
import { formPage } from './form-page.js';
import { resultPage } from './result-page.js';

/** How often the stream looks how a scan stands: another process may be at it. */
const LOOK_EVERY_MS = 500;

/** The scan without a key: only the form starts one. */
export const addFreeScanRoutes: Part = (router, deps) => {
  const { freeScans, sendPage } = deps;
  addForm(router, sendPage, {
    path: '/scan',
    field: 'site',
    load: (ctx) => fieldOf(ctx, 'site'),
    async submit(ctx, site) {
      const { hostname } = await freeScans.start({ site, clientAddress: ctx.ip });
      seeOther(ctx, addressOf.result(hostname));
    },
    render: (_ctx, site, errors) => formPage({ site, errors }),
  });

  router.get('/scan/:hostname', async (ctx) => {
    sendPage(ctx, await scanPage(hostnameAsked(ctx), deps));
  });

  router.get('/scan/:hostname/progress', (ctx) => {
    streamProgress(ctx, hostnameAsked(ctx), deps);
  });
};

/** @throws ServiceError not_found for what is no host name in its normal form */
function hostnameAsked(ctx: RouteContext): string {
  const hostname = paramOf(ctx, 'hostname');
  if (!isSiteHostname(hostname)) throw new ServiceError('not_found');
  return hostname;
}

async function scanPage(hostname: string, { freeScans, clock }: PartDeps): Promise<Page> {
  const found = await freeScans.find(hostname);
  switch (found?.state) {
    case undefined:
      return formPage({
        site: hostname,
        status: 404,
        lead: 'There was no scan of this site in the last hour. Results are kept for an hour.',
      });
    case 'failed':
      return formPage({ site: hostname, errors: { '': found.message } });
    case 'running':
      return runningPage(hostname, found.progress);
    case 'done':
      return resultPage(found.scan, clock.now());
  }
}

function runningPage(hostname: string, progress: Steps): Page {
  return {
    title: `Scan in progress, ${hostname}`,
    head: REFRESH,
    main: (
      <>
        <Heading lead="The scan is running. It takes less than a minute and continues if you leave this page.">
          {hostname}
        </Heading>
        <Progress what="scan" progress={progress} href={addressOf.progress(hostname)} />
      </>
    ),
  };
}

/** Streams the progress of a scan, and leads to the result at its end. */
function streamProgress(ctx: RouteContext, hostname: string, { freeScans }: PartDeps): void {
  streamEvents(ctx, (events) => {
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const look = async (): Promise<void> => {
      // A database that is away now is looked at again by the page that comes next.
      const found = await freeScans.find(hostname).catch(() => null);
      if (isOver) return;
      if (found?.state === 'running') {
        events.progress(stepOf('scan', found.progress));
        timer = setTimeout(() => void look(), LOOK_EVERY_MS);
      } else {
        isOver = true;
        events.end(addressOf.result(hostname));
      }
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  });
}
