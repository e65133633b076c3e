import type { JSX } from 'preact';
import { InputError } from '../../platform/input-error.js';
import { FREQUENCIES, isFrequency } from '../../app/automation/schedule.js';
import type { Schedule } from '../../app/automation/schedules.js';
import { Callout, Notice } from '../html/text.js';
import { noticeOf, type RouteContext, seeOther } from '../server/context.js';
import { addForm, type FieldErrors, fieldOf } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnSite, requestedSite } from '../server/requested-site.js';
import { PublicReport, publicReportPath } from '../public/public-report.js';
import { BADGE, listPublished, previewBadge, publish, withdraw } from '../../app/publications/publications.js';
import { BadgeSection } from './badge-part.js';
import { DeployHookSection } from './deploy-hook.js';
import { SiteMast } from './site-mast.js';
import type { RunsOfDay } from '../../app/limits/daily-runs.js';
import { TRIGGER_WORDS } from '../../app/runs/run.js';
import { capitalise } from '../html/format.js';
import { hookCreatedPage } from './hook-created.js';
import { OFF, ScheduleSection } from './schedule.js';
import { Facts, RailPart, RailText, Two } from '../html/two.js';

/** Notices by the code in the query. */
const NOTICES = {
  scheduled: 'The schedule is saved.',
  'hook-removed': 'The deploy hook is removed. Calls to its address are refused.',
  'badge-on': 'The badge is on.',
  'badge-replaced': 'The badge has a new address.',
  'badge-off': 'The badge is off.',
  'report-on': 'The report is public, at the address below.',
  'report-off': 'The report is no longer public. Its address no longer works.',
};
type NoticeCode = keyof typeof NOTICES;

const addAutomationPage: Part = (router, deps) => {
  const { schedules, sendPage } = deps;

  addForm(router, sendPage, {
    path: '/sites/:siteId/automation/schedule',
    shownAt: '/sites/:siteId/automation',
    field: 'frequency',
    load: (ctx) => loadOwnSite(ctx, deps),
    async submit(ctx, site) {
      const chosen = fieldOf(ctx, 'frequency');
      if (chosen !== OFF && !isFrequency(chosen)) throw new InputError('Choose how often the site runs.');
      await schedules.set(site, chosen === OFF ? null : chosen);
      done(ctx, 'scheduled');
    },
    render: (ctx, site, errors) => automationPage(ctx, deps, site, errors),
  });

  addHookRoutes(router, deps);
  addBadgeRoutes(router, deps);
};

const addHookRoutes: Part = (router, { sites, deployHooks, publicUrl, sendPage }) => {
  router.post('/sites/:siteId/automation/hook', async (ctx) => {
    const site = await loadOwnSite(ctx, { sites });
    const { token } = await deployHooks.create(requestedSite(ctx));
    // The secret is not stored, so no other page can show it.
    sendPage(ctx, hookCreatedPage({ site, token, publicUrl }));
  });

  router.post('/sites/:siteId/automation/hook/remove', async (ctx) => {
    await deployHooks.remove(requestedSite(ctx));
    done(ctx, 'hook-removed');
  });
};

const addBadgeRoutes: Part = (router, deps) => {
  router.post('/sites/:siteId/automation/badge', async (ctx) => {
    const { badge } = await listPublished(deps.db, await loadOwnSite(ctx, deps));
    await publish(deps, requestedSite(ctx), BADGE);
    done(ctx, badge === null ? 'badge-on' : 'badge-replaced');
  });

  router.post('/sites/:siteId/automation/badge/remove', async (ctx) => {
    await withdraw(deps, requestedSite(ctx), BADGE);
    done(ctx, 'badge-off');
  });
};

function done(ctx: RouteContext, notice: NoticeCode): void {
  seeOther(ctx, `${addressOf.automation(requestedSite(ctx).siteId)}?notice=${notice}`);
}

/** How many of the latest runs are searched for runs after a deployment, and how many of these are shown. */
const SEARCHED_MAX = 50;
const SHOWN_MAX = 3;

async function automationPage(
  ctx: RouteContext,
  { schedules, deployHooks, history, db, clock, publicUrl }: PartDeps,
  site: OwnSite,
  errors: FieldErrors | null,
): Promise<Page> {
  const [schedule, hook, published, shown, today, runs] = await Promise.all([
    schedules.get(site),
    deployHooks.find(site),
    listPublished(db, site),
    previewBadge(db, site),
    history.runsToday(site),
    history.summaries(site, SEARCHED_MAX),
  ]);
  const { badge: token, reports } = published;
  const { id: siteId, hostname, verifiedAt } = site;
  const now = clock.now();
  const started = runs.filter(({ trigger }) => trigger === 'POST_DEPLOY').slice(0, SHOWN_MAX);
  const isVerified = verifiedAt !== null;
  return {
    title: `Automatic runs, ${hostname}`,
    // The page shows the secret addresses of the report and the badge.
    hasSecret: true,
    mast: (
      <SiteMast
        site={site}
        title={isVerified ? describeRuns(schedule, hook !== null) : 'No runs until the domain is verified'}
        at={addressOf.automation(siteId)}
      />
    ),
    main: (
      <Two
        above={
          <>
            <Done notice={noticeOf(ctx, NOTICES)} />
            {!isVerified && <NotVerified siteId={siteId} />}
          </>
        }
        rail={<Rail today={isVerified ? today : []} />}
      >
        <ScheduleSection {...{ siteId, isVerified, schedule, errors, now }} />
        <DeployHookSection {...{ siteId, hook, started, now }} />
        <PublicReport {...{ siteId, hostname, isVerified, reports, publicUrl }} />
        <BadgeSection {...{ siteId, hostname, token, shown, publicUrl, reportPath: publicReportPath(reports) }} />
      </Two>
    ),
  };
}

/** The notice after a change. The badge is far down the page, so its notice has a link. */
function Done({ notice }: { readonly notice: string | undefined }): JSX.Element {
  return (
    <Notice isDone>
      {notice === NOTICES['badge-on'] ? (
        <>
          {notice} <a href="#badge">Copy its code</a>
        </>
      ) : (
        notice
      )}
    </Notice>
  );
}

function NotVerified({ siteId }: { readonly siteId: string }): JSX.Element {
  return (
    <Callout result="UNDETERMINED">
      <b>Your settings take effect once the domain is verified.</b>
      <br />
      <a class="btn more" href={addressOf.verify(siteId)}>
        Verify the domain
      </a>
    </Callout>
  );
}

function describeRuns({ effective }: Schedule, hasHook: boolean): string {
  if (effective === null) return hasHook ? 'Runs after each deployment' : 'No automatic runs yet';
  return `Runs ${FREQUENCIES[effective].label}${hasHook ? ' and after each deployment' : ''}`;
}

/** @param props.today empty until the domain is verified */
function Rail({ today }: { readonly today: readonly RunsOfDay[] }): JSX.Element {
  return (
    <>
      {today.length > 0 && (
        <RailPart title="Runs today">
          <Facts
            facts={today.map(({ trigger, used, limit }) => [capitalise(TRIGGER_WORDS[trigger]), `${used} of ${limit}`])}
          />
          <p class="small soft more">Resets at 00:00 UTC. Scheduled runs are not counted.</p>
        </RailPart>
      )}
      <RailText title="Alerts">
        We can <a href="/alerts">send you a message</a> when a check breaks or the score falls.
      </RailText>
    </>
  );
}

export const PAGES: readonly Part[] = [addAutomationPage];
