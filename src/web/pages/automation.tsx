import type { Plan } from '../../app/accounts/plan.js';
import { createHook, readHook, removeHook } from '../../app/automation/deploy-hooks.js';
import {
  FREQUENCIES,
  frequenciesOf,
  type Frequency,
  isFrequency,
  requiredPlan,
  readSchedule,
  type Schedule,
  setSchedule,
} from '../../app/automation/schedules.js';
import { BADGE, listPublished, publish, withdraw } from '../../app/publications/publications.js';
import type { OwnSite } from '../../app/sites/site.js';
import { InputError } from '../../platform/errors.js';
import { ActionButton, AddressFold, Group, Tabs } from '../html/sections.js';
import { capitalise, Moment, Now, Snippet, Time } from '../html/text.js';
import { BADGE_SIZE } from '../public/badge.js';
import { PublicReport, publicReportPath } from '../public/publications.js';
import { addPage, fieldOf, loadOwnSite, requestedSite, sendPage, sessionOf } from '../server/routes.js';
import type { AddRoutes, FieldErrors, Page, RouteDeps } from '../server/page.js';
import { addressOf, OPERATOR_PATH, PUBLIC_PAGES, PUBLIC_PATHS } from '../server/paths.js';
import { DeployHookSection, hookCreatedPage } from './automation-hook.js';
import { SiteHeader } from '../html/page-header.js';
import { useContext } from 'preact/hooks';
import { Form } from '../html/form.js';

const PATH = addressOf.automation(':siteId');

const BADGE_ON = (
  <>
    The badge is on, at a new address. <a href="#badge">Copy its code</a>
  </>
);

export const addAutomationPage: AddRoutes = (router, deps) => {
  const { publicUrl } = deps;
  addPage(router, {
    path: PATH,
    notices: {
      'report-on': 'The report is public, at the address below.',
      'report-off': 'The report is no longer public. Its address no longer works.',
    },
    load: loadOwnSite,
    render: (ctx, site, errors) => automationPage(deps, sessionOf(ctx).account.plan, site, errors),
    forms: [
      {
        path: addressOf.schedule(':siteId'),
        field: FREQUENCY_FIELD,
        async act(ctx) {
          const chosen = fieldOf(ctx, FREQUENCY_FIELD);
          if (chosen !== OFF && !isFrequency(chosen)) throw new InputError('Choose how often the site runs.');
          await setSchedule(deps, requestedSite(ctx), chosen === OFF ? null : chosen);
        },
        done: ['scheduled', 'The schedule is saved.'],
      },
      {
        path: addressOf.hook(':siteId'),
        async submit(ctx, site) {
          const token = await createHook(deps, requestedSite(ctx));
          // The secret is not stored, so no other page can show it.
          sendPage(ctx, hookCreatedPage(site, token, publicUrl));
        },
      },
      {
        path: addressOf.removeHook(':siteId'),
        act: (ctx) => removeHook(deps, requestedSite(ctx)),
        done: ['hook-removed', 'The deploy hook is removed. Calls to its address are refused.'],
      },
      {
        path: addressOf.badge(':siteId'),
        act: (ctx) => publish(deps, requestedSite(ctx), BADGE),
        done: ['badge-on', BADGE_ON],
      },
      {
        path: addressOf.removeBadge(':siteId'),
        act: (ctx) => withdraw(deps, requestedSite(ctx), BADGE),
        done: ['badge-off', 'The badge is off.'],
      },
    ],
  });
};

async function automationPage(
  { db, publicUrl }: RouteDeps,
  plan: Plan,
  site: OwnSite,
  errors: FieldErrors | null,
): Promise<Page> {
  const [schedule, hook, { badge, reports }] = await Promise.all([
    readSchedule(db, site.id),
    readHook(db, site.id),
    listPublished(db, site.id),
  ]);
  const { id: siteId, hostname, verifiedAt } = site;
  const isVerified = verifiedAt !== null;
  return {
    title: `Automatic runs, ${hostname}`,
    // The page shows the secret addresses of the report and the badge.
    hasSecret: true,
    header: (
      <SiteHeader
        site={site}
        title={isVerified ? describeRuns(schedule, hook !== null) : 'No runs until the domain is verified'}
        lead={!isVerified && <a href={addressOf.verify(siteId)}>Your settings take effect once you verify it</a>}
        at={addressOf.automation(siteId)}
      />
    ),
    main: (
      <div class="w over-text">
        <ScheduleSection {...{ siteId, isVerified, schedule, plan, errors }} />
        <DeployHookSection siteId={siteId} hook={hook} />
        <PublicReport {...{ siteId, hostname, isVerified, reports, publicUrl }} />
        <BadgeSection
          {...{ siteId, hostname, token: badge?.token ?? null, publicUrl, reportPath: publicReportPath(reports) }}
        />
      </div>
    ),
  };
}

function describeRuns(schedule: Schedule | null, hasHook: boolean): string {
  if (schedule === null) return hasHook ? 'Runs after each deployment' : 'No automatic runs yet';
  return `Runs ${FREQUENCIES[schedule.frequency].label}${hasHook ? ' and after each deployment' : ''}`;
}

interface BadgeSectionProps {
  readonly siteId: string;
  readonly hostname: string;
  /** Null while the badge is off. */
  readonly token: string | null;
  readonly publicUrl: string;
  /** The public report, which the badge links to; null if there is none. */
  readonly reportPath: string | null;
}

function BadgeSection(props: BadgeSectionProps) {
  const { siteId, hostname, token } = props;
  return (
    <Group title="Badge" meaning={token === null ? 'off' : 'follows the latest run'} id="badge">
      {token !== null && (
        <p>
          <img src={PUBLIC_PATHS.badge(token)} alt={`Badge with the latest score of ${hostname}`} {...BADGE_SIZE} />
        </p>
      )}
      <p>
        The latest score with a pin for each check, to show on your site or in a README. Anyone who has the address sees
        which checks fail, and nothing else.
      </p>
      {token === null ? (
        <ActionButton action={addressOf.badge(siteId)} kind="quiet" label="Turn the badge on" />
      ) : (
        <>
          <Tabs label="Format" name="badge" panels={snippetsOf(token, props)} />
          <AddressFold
            title="Replace the address, or turn the badge off"
            renew={[addressOf.badge(siteId), 'Give it a new address']}
            end={[addressOf.removeBadge(siteId), 'Turn the badge off']}
          >
            The current address then stops working. Caches may show the badge for 5 more minutes.
          </AddressFold>
        </>
      )}
    </Group>
  );
}

function snippetsOf(token: string, { publicUrl, reportPath }: BadgeSectionProps) {
  const picture = publicUrl + PUBLIC_PATHS.badge(token);
  const target = publicUrl + (reportPath ?? PUBLIC_PAGES.checks.path);
  // Reference links have their URLs on separate lines (CommonMark 0.31 §4.7), so no URL wraps.
  const markdown = `[![agent readiness][agent-readiness]][agent-readiness-report]\n\n[agent-readiness]:\n${picture}\n[agent-readiness-report]:\n${target}`;
  const html = `<a href="${target}"><img src="${picture}" alt="agent readiness" height="${BADGE_SIZE.height}"></a>`;
  return [
    ['HTML', <Snippet text={html} label="Badge in HTML" />],
    ['Markdown', <Snippet text={markdown} label="Badge in Markdown" />],
  ] as const;
}

const FREQUENCY_FIELD = 'frequency';

const OFF = 'OFF';

interface ScheduleSectionProps {
  readonly siteId: string;
  readonly isVerified: boolean;
  /** Null if it is off. */
  readonly schedule: Schedule | null;
  readonly plan: Plan;
  readonly errors: FieldErrors | null;
}

function ScheduleSection({ siteId, isVerified, schedule, plan, errors }: ScheduleSectionProps) {
  const choices = frequenciesOf(plan);
  const unavailable = (Object.keys(FREQUENCIES) as Frequency[]).filter((one) => !choices.includes(one));
  return (
    <Group title="By schedule" meaning={<NextRun {...{ isVerified, schedule }} />} id="schedule">
      <Form
        action={addressOf.schedule(siteId)}
        errors={errors}
        fields={[
          {
            name: FREQUENCY_FIELD,
            label: 'How often to scan this site',
            hint: unavailable.length > 0 && <MoreOften frequencies={unavailable} />,
            // The saved value even after a refusal, since the plan does not offer the refused one.
            value: schedule?.frequency ?? OFF,
            options: [[OFF, 'Off'], ...choices.map((one) => [one, capitalise(FREQUENCIES[one].label)] as const)],
          },
        ]}
        button="Save schedule"
        isQuiet={!isVerified}
      />
      <p class="small soft more">
        To get a message when a run finds a change, <a href="/alerts">set up alerts</a>.
      </p>
    </Group>
  );
}

/** Names the plans that run a site more often. */
function MoreOften({ frequencies }: { readonly frequencies: readonly Frequency[] }) {
  return (
    <>
      {frequencies.map((one, index) => (
        <>
          {index > 0 && ', '}
          {capitalise(FREQUENCIES[one].label)} with <a href={OPERATOR_PATH}>plan {requiredPlan(one)}</a>
        </>
      ))}
    </>
  );
}

function NextRun({ isVerified, schedule }: Pick<ScheduleSectionProps, 'isVerified' | 'schedule'>) {
  const now = useContext(Now);
  if (schedule === null) return <>off</>;
  if (!isVerified) return <>once verified</>;
  const { nextRunAt } = schedule;
  // A run is queued once its time has passed.
  if (Date.parse(nextRunAt) <= now.getTime()) return <>next: due now</>;
  return (
    <span>
      next: <Time at={nextRunAt} />, <Moment at={nextRunAt} /> UTC
    </span>
  );
}
