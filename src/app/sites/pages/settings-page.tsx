import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import { Icon, Mark } from '../../../web/kit/components/icons.js';
import { Group, HostName } from '../../../web/kit/components/mast.js';
import { formatMoment } from '../../../web/kit/format.js';
import { noticeOf, type RouteContext, seeOther } from '../../../web/kit/context.js';
import { addForm, type FieldErrors, fieldOf } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part, PartDeps } from '../../part.js';
import type { OwnSite } from '../own-site.js';
import { describeUnread } from '../unread-proof-words.js';
import { addressOf } from './addresses.js';
import { ownSite } from './asked-site.js';
import { PAGES_FIELD, PagesSection } from './chosen-pages.js';
import { MailOfSite } from './mail-of-site.js';
import { TAGS_FIELD, TagsForm } from './tags-form.js';
import { CRUMB_CHARS, SiteMast } from './site-mast.js';
import { VERIFIED_BY_WORDS } from './words.js';
import { Notice, Snippet, Time } from '../../../web/kit/components/text.js';
import { Facts, RailPart, Two } from '../../../web/kit/components/two.js';

/** What the page says after something was done, by the code in its address. */
const NOTICES = {
  tags: 'The tags are saved.',
  pages: 'The pages are saved: the next run reads them first.',
  'no-pages': 'No pages are chosen: runs read those that the home page links.',
};

/** What is known of a site apart from its runs, which pages they read first, and how it is removed. */
export const addSettingsPage: Part = (router, deps) => {
  const { chosenPages, siteMail, siteTags, sendPage } = deps;
  addForm(router, sendPage, {
    path: '/sites/:siteId/settings/pages',
    shownAt: '/sites/:siteId/settings',
    field: PAGES_FIELD,
    load: (ctx) => ownSite(ctx, deps),
    async submit(ctx, site) {
      const count = await chosenPages.choose(site, fieldOf(ctx, PAGES_FIELD));
      seeOther(ctx, `${addressOf.settings(site.id)}?notice=${count === 0 ? 'no-pages' : 'pages'}`);
    },
    render: (ctx, site, errors) => settingsPage(ctx, deps, site, errors),
  });
  addForm(router, sendPage, {
    path: '/sites/:siteId/tags',
    shownAt: null,
    load: (ctx) => ownSite(ctx, deps),
    async submit(ctx, site) {
      await siteTags.set(site, fieldOf(ctx, TAGS_FIELD));
      seeOther(ctx, `${addressOf.settings(site.id)}?notice=tags`);
    },
    render: (ctx, site, errors) => settingsPage(ctx, deps, site, errors),
  });
  router.post('/sites/:siteId/mail', async (ctx) => {
    const { id, accountId } = await ownSite(ctx, deps);
    await siteMail.turn(accountId, [id], fieldOf(ctx, 'alerts') === 'on');
    seeOther(ctx, addressOf.settings(id));
  });
};

async function settingsPage(
  ctx: RouteContext,
  { schedules, chosenPages, history, webhooks, clock }: PartDeps,
  site: OwnSite,
  errors: FieldErrors | null,
): Promise<Page> {
  const [{ nextRunAt }, paths, latest] = await Promise.all([
    schedules.get(site),
    chosenPages.of(site),
    history.latestPages(site),
  ]);
  const now = clock.now();
  const notice = noticeOf(ctx, NOTICES);
  return {
    title: `Settings of ${site.hostname}`,
    mast: (
      <SiteMast
        site={site}
        title="Settings"
        lead={site.verifiedAt === null ? 'Not verified: no run can start.' : 'Verified: runs can start.'}
        at={addressOf.settings(site.id)}
      />
    ),
    main: (
      <Two rail={<AtAGlance site={site} now={now} />} above={notice && <Notice isDone>{notice}</Notice>}>
        <Ownership site={site} now={now} />
        <Runs site={site} nextRunAt={nextRunAt} now={now} />
        {webhooks.hasMail && <MailOfSite site={site} />}
        <TagsForm site={site} typed={fieldOf(ctx, TAGS_FIELD)} errors={errors} />
        <PagesSection {...{ siteId: site.id, paths, latest, errors }} typed={fieldOf(ctx, PAGES_FIELD)} />
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
            {describeLoss(site)}
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
    <Group title="Runs" meaning="by hand or automatic">
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

/** `By schedule, next in 4 hours`: how often is told where it is set. */
function WhenItRuns({ isVerified, nextRunAt, now }: WhenItRunsProps): JSX.Element {
  if (nextRunAt === null) return <>By hand only</>;
  if (!isVerified) return <>By schedule, once it is verified</>;
  if (Date.parse(nextRunAt) <= now.getTime()) return <>By schedule, the next is due now</>;
  return (
    <>
      By schedule, next <Time at={nextRunAt} now={now} />
    </>
  );
}

/** What goes with the site: `Its 14 runs go with it`. */
function describeLoss({ latestNumber }: OwnSite): string {
  if (latestNumber === 0) return 'Its settings go with it';
  return `Its ${countOf(latestNumber, 'run')} ${latestNumber === 1 ? 'goes' : 'go'} with it`;
}

/** In one line: who removes or verifies a site knows which it is. */
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

function Ownership({ site: { id, verifiedAt, verifiedBy, unreadProof }, now }: SiteProps): JSX.Element {
  const isVerified = verifiedAt !== null && verifiedBy !== null;
  return (
    <Group title="Ownership" meaning="runs start once verified">
      <ul class="items">
        <li>
          <Mark result={isVerified && !unreadProof ? 'PASS' : 'UNDETERMINED'} isSaid />
          <span>
            {isVerified ? (
              <>
                Verified by {VERIFIED_BY_WORDS[verifiedBy]}
                <br />
                <span class="soft small">
                  <At at={verifiedAt} now={now} />
                  {unreadProof && `. ${describeUnread(unreadProof)}`}
                </span>
              </>
            ) : (
              'Not verified: no run starts until you show that the domain is yours.'
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
            ['Runs kept', latestNumber === 0 ? 'none yet' : <a href={addressOf.runs(id)}>{latestNumber}</a>],
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
