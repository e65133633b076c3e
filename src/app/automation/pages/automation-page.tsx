import type { JSX } from 'preact';
import { InputError } from '../../../platform/input-error.js';
import { FREQUENCIES, isFrequency } from '../schedule.js';
import type { Schedule } from '../schedules.js';
import { Callout, Notice } from '../../../web/kit/components/text.js';
import { noticeOf, type RouteContext, seeOther } from '../../../web/kit/context.js';
import { addForm, type FieldErrors, fieldOf } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part, PartDeps } from '../../part.js';
import type { OwnSite } from '../../sites/own-site.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownSite, siteAsked } from '../../sites/pages/asked-site.js';
import { PublicReport, publicReportPath } from '../../sharing/pages/public-report.js';
import { BadgeSection } from './badge.js';
import { DeployHookSection } from './deploy-hook.js';
import { SiteMast } from '../../sites/pages/site-mast.js';
import type { OwnSharedReport } from '../../sharing/shared-reports.js';
import type { RunsOfDay } from '../../limits/daily-runs.js';
import { TRIGGER_WORDS } from '../../runs/words.js';
import { capitalise } from '../../../web/kit/format.js';
import { hookCreatedPage } from './hook-created.js';
import { OFF, ScheduleSection } from './schedule.js';
import { Facts, RailPart, RailText, Two } from '../../../web/kit/components/two.js';

/** What the page says after something was done, by the code in its address. */
const NOTICES = {
  scheduled: 'The schedule is saved.',
  'hook-removed': 'The deploy hook is removed: calls of its address are refused now.',
  'badge-on': 'The badge is on.',
  'badge-replaced': 'The badge has a new address.',
  'badge-off': 'The badge is off.',
  'report-on': 'The report is public, at the address below.',
  'report-off': 'The report is no longer public: its address leads nowhere now.',
};
type NoticeCode = keyof typeof NOTICES;

/** What a site does without being told: its schedule, its deploy hook, its badge. */
const addAutomationPage: Part = (router, deps) => {
  const { schedules, sendPage } = deps;

  addForm(router, sendPage, {
    path: '/sites/:siteId/automation/schedule',
    shownAt: '/sites/:siteId/automation',
    field: 'frequency',
    load: (ctx) => ownSite(ctx, deps),
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
    const site = await ownSite(ctx, { sites });
    const { token } = await deployHooks.create(siteAsked(ctx));
    // Shown in the answer to the form itself: the secret is stored nowhere, so no other page could show it.
    sendPage(ctx, hookCreatedPage({ site, token, publicUrl }));
  });

  router.post('/sites/:siteId/automation/hook/remove', async (ctx) => {
    await deployHooks.remove(siteAsked(ctx));
    done(ctx, 'hook-removed');
  });
};

const addBadgeRoutes: Part = (router, { sites, badges }) => {
  router.post('/sites/:siteId/automation/badge', async (ctx) => {
    const before = await badges.tokenOf(await ownSite(ctx, { sites }));
    await badges.turnOn(siteAsked(ctx));
    done(ctx, before === null ? 'badge-on' : 'badge-replaced');
  });

  router.post('/sites/:siteId/automation/badge/remove', async (ctx) => {
    await badges.turnOff(siteAsked(ctx));
    done(ctx, 'badge-off');
  });
};

function done(ctx: RouteContext, notice: NoticeCode): void {
  seeOther(ctx, `${addressOf.automation(siteAsked(ctx).siteId)}?notice=${notice}`);
}

/** How many of the latest runs are looked at for those that the deploy hook started, and how many of these are shown. */
const LOOKED_AT = 50;
const STARTED_SHOWN = 3;

async function automationPage(
  ctx: RouteContext,
  { schedules, deployHooks, badges, sharedReports, history, clock, publicUrl }: PartDeps,
  site: OwnSite,
  errors: FieldErrors | null,
): Promise<Page> {
  const [schedule, hook, token, shown, reports, today, runs] = await Promise.all([
    schedules.get(site),
    deployHooks.find(site),
    badges.tokenOf(site),
    badges.shownOf(site),
    sharedReports.listOf(site),
    history.runsToday(site),
    history.summaries(site, LOOKED_AT),
  ]);
  const { id: siteId, hostname, verifiedAt } = site;
  const now = clock.now();
  const started = runs.filter(({ trigger }) => trigger === 'POST_DEPLOY').slice(0, STARTED_SHOWN);
  const isVerified = verifiedAt !== null;
  return {
    title: `Automatic runs, ${hostname}`,
    // The links of the report and the badge.
    hasSecret: true,
    mast: (
      <SiteMast
        site={site}
        title={isVerified ? describeRuns(schedule, hook !== null) : 'Nothing runs before the domain is verified'}
        at={addressOf.automation(siteId)}
      />
    ),
    main: (
      <Two
        // What was refused is seen first, and where nothing works yet there is nothing to glance at.
        isGlanceFirst={errors === null && isVerified}
        above={
          <>
            <Done notice={noticeOf(ctx, NOTICES)} />
            {!isVerified && <NotVerified siteId={siteId} />}
          </>
        }
        rail={
          <Rail
            {...{ schedule, today: isVerified ? today : [], reports }}
            isOn={{ hook: hook !== null, badge: token !== null }}
          />
        }
      >
        <ScheduleSection {...{ siteId, isVerified, schedule, errors, now }} />
        <DeployHookSection {...{ siteId, hook, started, now }} />
        <PublicReport {...{ siteId, hostname, isVerified, reports, publicUrl }} />
        <BadgeSection {...{ siteId, hostname, token, shown, publicUrl, reportPath: publicReportPath(reports) }} />
      </Two>
    ),
  };
}

/** What was done; where it can be seen only far below, with a link there. */
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
      <b>What you set up now starts to work once the domain is verified.</b>
      <br />
      <a class="btn more" href={addressOf.verify(siteId)}>
        Verify the domain
      </a>
    </Callout>
  );
}

/** What happens by itself, in a few words. */
function describeRuns({ effective }: Schedule, hasHook: boolean): string {
  if (effective === null) return hasHook ? 'Runs after each deployment' : 'Nothing runs by itself yet';
  return `Runs ${FREQUENCIES[effective].label}${hasHook ? ' and after each deployment' : ''}`;
}

interface RailProps {
  readonly schedule: Schedule;
  /** None before the domain is verified: nothing runs. */
  readonly today: readonly RunsOfDay[];
  readonly reports: readonly OwnSharedReport[];
  readonly isOn: Readonly<Record<'hook' | 'badge', boolean>>;
}

/** What is set up, what is taken of the day's runs, and how to hear of what they find. */
function Rail({ schedule: { effective }, today, reports, isOn }: RailProps): JSX.Element {
  const onOrOff = (isOn: boolean): string => (isOn ? 'on' : 'off');
  return (
    <>
      <RailPart title="At a glance">
        <Facts
          facts={[
            [<a href="#schedule">Schedule</a>, effective === null ? 'off' : FREQUENCIES[effective].label],
            [<a href="#hook">Deploy hook</a>, onOrOff(isOn.hook)],
            [<a href="#sharing">Public report</a>, onOrOff(publicReportPath(reports) !== null)],
            [<a href="#badge">Badge</a>, onOrOff(isOn.badge)],
          ]}
        />
      </RailPart>
      {today.length > 0 && (
        <RailPart title="Runs today">
          <Facts
            facts={today.map(({ trigger, used, limit }) => [capitalise(TRIGGER_WORDS[trigger]), `${used} of ${limit}`])}
          />
          <p class="small soft more">The count starts again at 00:00 UTC. Runs by schedule are not counted.</p>
        </RailPart>
      )}
      <RailText title="Hear of a change">
        <a href="/alerts">Alerts</a> tell you when a check breaks or the score falls.
      </RailText>
    </>
  );
}

export const PAGES: readonly Part[] = [addAutomationPage];
