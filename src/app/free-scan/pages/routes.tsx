import { ServiceError } from '../../../platform/errors.js';
import { SharedWatch } from '../../../platform/shared-watch.js';
import { isSiteHostname } from '../../sites/site-input.js';
import { livePartsOf } from '../../../web/kit/components/progress.js';
import { HostName, isLongName } from '../../../web/kit/components/mast.js';
import { paramOf, type RouteContext, seeOther } from '../../../web/kit/context.js';
import { addForm, fieldOf } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import { sendForAgents } from '../../../web/kit/send-for-agents.js';
import type { Part, PartDeps } from '../../part.js';
import { addressOf } from './addresses.js';
import { formPage } from './form-page.js';
import { resultPage } from './result-page.js';
import { runningPage } from './running-page.js';

const NO_SCAN = { state: 'none' } as const;

/** The scan without a key: only the form starts one. */
const addFreeScanRoutes: Part = (router, deps) => {
  const { freeScans, sendPage, streamEvents } = deps;
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

  router.get('/scan/:hostname/agent', async (ctx) => {
    const hostname = hostnameAsked(ctx);
    const found = await freeScans.find(hostname);
    if (found?.state !== 'done') throw new ServiceError('not_found');
    const { origin = `https://${hostname}`, findings, gains = [] } = found.scan;
    sendForAgents(ctx, { origin, findings, gains });
  });

  const watches = new SharedWatch({
    look: async (hostname) => (await freeScans.find(hostname)) ?? NO_SCAN,
    isOver: ({ state }) => state !== 'running',
  });
  router.get('/scan/:hostname/progress', (ctx) => {
    const hostname = hostnameAsked(ctx);
    streamEvents(ctx, (events) =>
      watches.watch(hostname, (scan) => {
        if (scan.state === 'running') events.progress(livePartsOf(scan.progress));
        else events.end(addressOf.result(hostname));
      }),
    );
  });
};

/** @throws ServiceError not_found for what is not a host name in its normal form */
function hostnameAsked(ctx: RouteContext): string {
  const hostname = paramOf(ctx, 'hostname');
  if (!isSiteHostname(hostname)) throw new ServiceError('not_found');
  return hostname;
}

async function scanPage(hostname: string, { freeScans, clock, isSignUpOpen }: PartDeps): Promise<Page> {
  const found = await freeScans.find(hostname);
  switch (found?.state) {
    case undefined:
      return formPage({
        site: hostname,
        status: 404,
        title: (
          <>
            No recent scan of <HostName name={hostname} />
          </>
        ),
        isLong: isLongName(hostname),
        lead: 'The result of a free scan is kept for an hour. Scan the site again to see how it does now.',
      });
    case 'failed':
      return formPage({ site: hostname, errors: { '': found.message } });
    case 'running':
      return runningPage(hostname, found.progress);
    case 'done':
      return resultPage(found.scan, clock.now(), isSignUpOpen);
  }
}

export const PAGES: readonly Part[] = [addFreeScanRoutes];
