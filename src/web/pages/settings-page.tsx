import type { JSX } from 'preact';
import { ActionButton } from '../html/form.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { Icon, Mark } from '../html/icons.js';
import { Group, HostName } from '../html/mast.js';
import { formatMoment } from '../html/format.js';
import { noticeOf, type RouteContext, seeOther } from '../server/context.js';
import { addForm, type FieldErrors, fieldOf } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { describeMissing } from '../../app/sites/ownership-recheck.js';
import { choosePages, setSiteMail } from '../../app/sites/site-settings.js';
import { setTags } from '../../app/sites/tags.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnSite } from '../server/requested-site.js';
import { PAGES_FIELD, PagesSection } from './chosen-pages.js';
import { CRUMB_CHARS, SiteMast } from './site-mast.js';
import { TAGS_FIELD, TagsForm } from './tags-form.js';
import { VERIFIED_BY_WORDS } from './verify-page.js';
import { Notice, Snippet, Time } from '../html/text.js';
import { Facts, RailPart, Two } from '../html/two.js';

/** Notices after a change, by the code in the query. */
const NOTICES = {
  tags: 'The tags are saved.',
  pages: 'The pages are saved: the next run checks them.',
  'no-pages': 'No pages are chosen: runs check the pages that the home page links to.',
};

/** Settings of a site: ownership, alerts, tags, chosen pages and removal. */
export const addSettingsPage: Part = (router, deps) => {
  const { sendPage } = deps;
  addForm(router, sendPage, {
    path: '/sites/:siteId/settings/pages',
    shownAt: '/sites/:siteId/settings',
    field: PAGES_FIELD,
    load: (ctx) => loadOwnSite(ctx, deps),
    async submit(ctx, site) {
      const count = await choosePages(deps, site, fieldOf(ctx, PAGES_FIELD));
      seeOther(ctx, `${addressOf.settings(site.id)}?notice=${count === 0 ? 'no-pages' : 'pages'}`);
    },
    render: (ctx, site, errors) => settingsPage(ctx, deps, site, errors),
  });
  addForm(router, sendPage, {
    path: '/sites/:siteId/tags',
    shownAt: null,
    load: (ctx) => loadOwnSite(ctx, deps),
    async submit(ctx, site) {
      await setTags(deps, site, fieldOf(ctx, TAGS_FIELD));
      seeOther(ctx, `${addressOf.settings(site.id)}?notice=tags`);
    },
    render: (ctx, site, errors) => settingsPage(ctx, deps, site, errors),
  });
  router.post('/sites/:siteId/mail', async (ctx) => {
    const site = await loadOwnSite(ctx, deps);
    await setSiteMail(deps, site, fieldOf(ctx, 'alerts') === 'on');
    seeOther(ctx, addressOf.settings(site.id));
  });
};

async function settingsPage(
  ctx: RouteContext,
  { schedules, history, hasMail, clock }: PartDeps,
  site: OwnSite,
  errors: FieldErrors | null,
): Promise<Page> {
  const [{ nextRunAt }, latest] = await Promise.all([schedules.get(site), history.latestPages(site)]);
  const now = clock.now();
  const notice = noticeOf(ctx, NOTICES);
  return {
    title: `Settings of ${site.hostname}`,
    mast: (
      <SiteMast
        site={site}
        title="Settings"
        lead={site.verifiedAt === null ? 'Not verified: no run can start.' : undefined}
        at={addressOf.settings(site.id)}
      />
    ),
    main: (
      <Two rail={<AtAGlance site={site} now={now} />} above={notice && <Notice isDone>{notice}</Notice>}>
        <Ownership site={site} now={now} />
        <Runs site={site} nextRunAt={nextRunAt} now={now} />
        {hasMail && <MailOfSite site={site} />}
        <TagsForm site={site} typed={fieldOf(ctx, TAGS_FIELD)} errors={errors} />
        <PagesSection
          {...{ siteId: site.id, paths: site.chosenPages ?? [], latest, errors }}
          typed={fieldOf(ctx, PAGES_FIELD)}
        />
        <Remove site={site} />
      </Two>
    ),
  };
}

function Remove({ site }: Pick<SiteProps, 'site'>): JSX.Element {
  return (
    <Group title="Remove" meaning="cannot be undone">
      <ul class="items">
        <li>
          <Icon name="bin" />
          <span>
            {describeDeletion(site)}
            <br />
            <span class="soft small">You confirm on the next page.</span>
          </span>
          <a class="btn danger tight" href={addressOf.remove(site.id)}>
            Remove this site
          </a>
        </li>
      </ul>
    </Group>
  );
}

function Runs({ site, nextRunAt, now }: SiteProps & { readonly nextRunAt: string | null }): JSX.Element {
  return (
    <Group title="Runs" meaning="manual or automatic">
      <ul class="items">
        <li>
          <Icon name="clock" />
          <span>
            <WhenItRuns isVerified={site.verifiedAt !== null} nextRunAt={nextRunAt} now={now} />
            <br />
            <span class="soft small">
              Each run begins at <HomePage site={site} />
            </span>
          </span>
          <a class="btn quiet tight" href={addressOf.automation(site.id)}>
            {nextRunAt === null ? 'Set a schedule' : 'Change'}
            <span class="hide">{nextRunAt !== null && ' the schedule'}</span>
          </a>
        </li>
      </ul>
    </Group>
  );
}

interface WhenItRunsProps {
  readonly isVerified: boolean;
  readonly nextRunAt: string | null;
  readonly now: Date;
}

/** Says when the site runs next: `By schedule, next in 4 hours`. */
function WhenItRuns({ isVerified, nextRunAt, now }: WhenItRunsProps): JSX.Element {
  if (nextRunAt === null) return <>Manual only</>;
  if (!isVerified) return <>By schedule, once it is verified</>;
  if (Date.parse(nextRunAt) <= now.getTime()) return <>By schedule, the next is due now</>;
  return (
    <>
      By schedule, next <Time at={nextRunAt} now={now} />
    </>
  );
}

/** Says what is deleted with the site: `This also deletes its 14 runs`. */
function describeDeletion({ latestNumber }: OwnSite): string {
  return `This also deletes its ${latestNumber === 0 ? 'settings' : countOf(latestNumber, 'run')}`;
}

function HomePage({ site: { origin, hostname } }: { readonly site: OwnSite }): JSX.Element {
  return (
    <>
      {new URL(origin).protocol}//
      <HostName name={hostname} max={CRUMB_CHARS} />/
    </>
  );
}

interface SiteProps {
  readonly site: OwnSite;
  readonly now: Date;
}

function Ownership({ site: { id, verifiedAt, verifiedBy, missingProof }, now }: SiteProps): JSX.Element {
  const isVerified = verifiedAt !== null && verifiedBy !== null;
  return (
    <Group title="Ownership" meaning="runs start once verified">
      <ul class="items">
        <li>
          <Mark result={isVerified && !missingProof ? 'PASS' : 'UNDETERMINED'} isSaid />
          <span>
            {isVerified ? (
              <>
                Verified by {VERIFIED_BY_WORDS[verifiedBy]}
                <br />
                <span class="soft small">
                  <At at={verifiedAt} now={now} />
                  {missingProof && `. ${describeMissing(missingProof)}`}
                </span>
              </>
            ) : (
              'Not verified: no run starts until you verify that you own the domain.'
            )}
          </span>
          <a class="btn quiet tight" href={addressOf.verify(id)}>
            {isVerified ? 'Check ownership' : 'Verify'}
          </a>
        </li>
      </ul>
    </Group>
  );
}

function AtAGlance({ site: { id, createdAt, latestNumber }, now }: SiteProps): JSX.Element {
  return (
    <>
      <RailPart title="At a glance">
        <Facts
          facts={[
            ['Added', <At at={createdAt} now={now} />],
            ['Runs', latestNumber === 0 ? 'none yet' : <a href={addressOf.runs(id)}>{latestNumber}</a>],
          ]}
        />
      </RailPart>
      <RailPart title="Id for the API">
        <Snippet text={id} label="id of the site" />
      </RailPart>
    </>
  );
}

function At({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  return <time dateTime={at}>{formatMoment(at, now.toISOString())} UTC</time>;
}

/** Turns alerts of this site by e-mail on or off. */
function MailOfSite({ site: { id, mailMutedAt } }: { readonly site: OwnSite }): JSX.Element {
  const isOn = mailMutedAt === null;
  return (
    <Group title="Alerts" meaning="by e-mail">
      <ul class="items">
        <li>
          <Icon name="mail" />
          <span>
            {isOn ? 'Sent if e-mail is on under Alerts' : 'Not sent for this site'}
            <br />
            <span class="soft small">Messages about a missing proof are always sent.</span>
          </span>
          <ActionButton action={addressOf.mail(id)} kind="quiet" isTight fields={{ alerts: isOn ? 'off' : 'on' }}>
            {isOn ? 'Turn off' : 'Turn on'}
            <span class="hide"> alerts of this site by e-mail</span>
          </ActionButton>
        </li>
      </ul>
    </Group>
  );
}
