import type { JSX } from 'preact';
import { ServiceError } from '../../../platform/errors.js';
import { TooSoonError } from '../../../platform/input-error.js';
import { REFRESH } from '../../../web/kit/components/progress.js';
import { Time } from '../../../web/kit/components/text.js';
import { noticeOf, type RouteContext, seeOther } from '../../../web/kit/context.js';
import { addForm, type FieldErrors } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part, PartDeps } from '../../part.js';
import { readAnnotations } from './annotations.js';
import type { OwnershipInstructions } from '../../sites/ownership.js';
import type { Site } from '../../sites/site.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { siteAsked } from '../../sites/pages/asked-site.js';
import { About } from '../../sites/pages/site-about.js';
import { runningPage } from './running-page.js';
import { SiteMain } from './site-main.js';
import { OwnershipWays } from '../../sites/pages/ownership-ways.js';

/** A site's own page: how it stands now, and the button that starts a run. */
export const addSitePage: Part = (router, deps) => {
  addForm(router, deps.sendPage, {
    path: '/sites/:siteId/runs',
    shownAt: '/sites/:siteId',
    load: siteAsked,
    async submit(ctx, asked) {
      await deps.manualRuns.start(asked).catch(explainBudget);
      seeOther(ctx, addressOf.site(asked.siteId));
    },
    render: (ctx, _asked, errors) => sitePage(ctx, deps, errors),
  });
};

const NOTICES = {
  verified: 'The domain is verified.',
  accepted: 'The failure is accepted. It stands under "Accepted".',
  'not-accepted': 'The failure is not accepted any more.',
};

const NOT_YET = 'Not verified yet: runs can start once you have proved that the domain is yours.';

function Lost(props: { readonly at: string; readonly now: Date }): JSX.Element {
  return (
    <>
      No longer verified since <Time {...props} />: we could not find the proof that the domain is yours. Its runs are
      kept, without the evidence that quotes the site, and can start again once it is back.
    </>
  );
}

interface UnverifiedMainProps {
  readonly site: Site;
  readonly ways: OwnershipInstructions;
  readonly now: Date;
}

function UnverifiedMain({ site, ways, now }: UnverifiedMainProps): JSX.Element {
  return (
    <>
      <Heading lead={site.ownershipLostAt === null ? NOT_YET : <Lost at={site.ownershipLostAt} now={now} />}>
        {site.hostname}
      </Heading>
      {site.ownershipLostAt !== null && (
        <p>
          <a href={addressOf.runs(site.id)}>All runs</a>
        </p>
      )}
      <OwnershipWays siteId={site.id} ways={ways} />
      <About site={site} now={now} />
    </>
  );
}

function explainBudget(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'daily_runs_exceeded') throw error;
  throw new TooSoonError('You have used all of today’s manual runs. They renew at 00:00 UTC.', error.retryAfterS ?? 1);
}

/** @throws SignInNeeded; ServiceError site_not_found, for another account's site too */
export async function sitePage(ctx: RouteContext, deps: PartDeps, errors: FieldErrors | null): Promise<Page> {
  const { ownership, manualRuns, history, schedules, clock } = deps;
  const asked = siteAsked(ctx);
  // First what is under way: a run that ends in between is the latest of the site, which is loaded after.
  const { manual: live, automatic: queued } = await manualRuns.live(asked);
  const site = await deps.sites.getOwn(asked);
  const title = `Readiness of ${site.hostname}`;
  const now = clock.now();
  if (site.verifiedAt === null) {
    return { title, main: <UnverifiedMain {...{ site, now }} ways={await ownership.instructions(site)} /> };
  }
  if (live?.state === 'running') return runningPage(site, live.progress);
  const [report, budget, schedule] = await Promise.all([
    history.latest(site),
    history.manualBudget(site),
    schedules.get(site),
  ]);
  const annotations = await readAnnotations(deps, site, report?.response.findings ?? []);
  const evidence = await deps.evidence.ofRun(site, site.latestNumber);
  const ways = site.unreadProof && (await ownership.instructions(site));
  const problems = errors ?? (live?.state === 'failed' ? { '': live.message } : null);
  const notice = noticeOf(ctx, NOTICES) ?? null;
  return {
    ...(annotations.isPending && { head: REFRESH }),
    title: live?.state === 'failed' ? `Error: ${title}` : title,
    main: (
      <SiteMain
        {...{ site, ways, report, annotations, evidence, budget, schedule, queued, notice, now }}
        errors={problems}
      />
    ),
  };
}
