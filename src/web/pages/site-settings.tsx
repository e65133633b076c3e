import type { JSX } from 'preact';
import { ActionButton, Field } from '../html/form.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { Icon, Mark } from '../html/icons.js';
import { Group } from '../html/page-header.js';
import { formatMoment } from '../html/format.js';
import type { RouteContext } from '../server/context.js';
import { addPage, type FieldErrors, fieldOf, seeNotice } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { describeMissing } from '../../app/sites/ownership-recheck.js';
import { choosePages, setPlatform, setSiteMail } from '../../app/sites/site-settings.js';
import { setTags, TAG_CHARS_MAX, TAGS_MAX } from '../../app/sites/tags.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnSite } from '../server/requested-site.js';
import { FROM_FIELD, FROM_VERIFY, PLATFORM_FIELD, PLATFORM_NOTICE, PlatformForm } from './site-ownership.js';
import { PAGES_FIELD, PagesSection } from './site-pages.js';
import { SiteHeader } from './site-header.js';
import { VERIFIED_BY_WORDS } from './site-verify.js';
import { Snippet } from '../html/text.js';

/** Settings of a site: ownership, alerts, tags, chosen pages and removal. */
export const addSiteSettingsPage: Part = (router, deps) => {
  addPage(router, deps.sendPage, {
    notices: {
      ...PLATFORM_NOTICE,
      'mail-on': 'Alerts of this site go to your e-mail address.',
      'mail-off': 'No more alerts of this site go to your e-mail address.',
      pages: 'The pages are saved: the next run checks them.',
      'no-pages': 'No pages are chosen: runs check the pages that the home page links to.',
    },
    path: addressOf.settings(':siteId'),
    load: (ctx) => loadOwnSite(ctx, deps),
    render: (ctx, site, errors) => settingsPage(ctx, deps, site, errors),
    forms: [
      {
        path: addressOf.pages(':siteId'),
        field: PAGES_FIELD,
        async submit(ctx, site) {
          const count = await choosePages(deps, site, fieldOf(ctx, PAGES_FIELD));
          return count === 0 ? 'no-pages' : 'pages';
        },
      },
      {
        path: addressOf.tags(':siteId'),
        act: (ctx, site) => setTags(deps, site, fieldOf(ctx, TAGS_FIELD)),
        done: ['tags', 'The tags are saved.'],
      },
      {
        path: addressOf.platform(':siteId'),
        async submit(ctx, site) {
          await setPlatform(deps, site, fieldOf(ctx, PLATFORM_FIELD));
          if (fieldOf(ctx, FROM_FIELD) !== FROM_VERIFY) return 'platform';
          seeNotice(ctx, addressOf.verify(site.id), 'platform');
          return undefined;
        },
      },
      {
        path: addressOf.mail(':siteId'),
        async submit(ctx, site) {
          const isOn = fieldOf(ctx, 'alerts') === 'on';
          await setSiteMail(deps, site, isOn);
          return isOn ? 'mail-on' : 'mail-off';
        },
      },
    ],
  });
};

async function settingsPage(
  ctx: RouteContext,
  { history, hasMail, clock }: PartDeps,
  site: OwnSite,
  errors: FieldErrors | null,
): Promise<Page> {
  const latest = await history.latestPages(site);
  return {
    title: `Settings of ${site.hostname}`,
    header: (
      <SiteHeader
        site={site}
        title="Settings"
        lead={site.verifiedAt === null ? 'Not verified: no run can start.' : undefined}
        at={addressOf.settings(site.id)}
      />
    ),
    main: (
      <div class="w over-text">
        <Ownership site={site} now={clock.now()} />
        {hasMail && <MailOfSite site={site} />}
        <Group title="Platform" meaning="for fixes and ownership">
          <PlatformForm site={site} errors={errors} />
        </Group>
        <TagsForm site={site} typed={fieldOf(ctx, TAGS_FIELD)} errors={errors} />
        <PagesSection
          {...{ siteId: site.id, paths: site.chosenPages ?? [], latest, errors }}
          typed={fieldOf(ctx, PAGES_FIELD)}
        />
        <Group title="For the API" meaning="id of the site">
          <Snippet text={site.id} label="id of the site" isLine />
        </Group>
        <Remove site={site} />
      </div>
    ),
  };
}

function Remove({ site }: Pick<SiteProps, 'site'>): JSX.Element {
  return (
    <Group title="Remove">
      <ul class="items">
        <li>
          <Icon name="bin" />
          <span>{describeDeletion(site)}</span>
          <a class="btn danger tight" href={addressOf.remove(site.id)}>
            Remove this site
          </a>
        </li>
      </ul>
    </Group>
  );
}

/** Says what is deleted: `Deletes the site and its 14 runs. This cannot be undone.` */
function describeDeletion({ latestNumber }: OwnSite): string {
  return `Deletes the site and its ${latestNumber === 0 ? 'settings' : countOf(latestNumber, 'run')}. This cannot be undone.`;
}

interface SiteProps {
  readonly site: OwnSite;
  readonly now: Date;
}

function Ownership({ site: { id, verifiedAt, verifiedBy, missingProof }, now }: SiteProps): JSX.Element {
  const isVerified = verifiedAt !== null && verifiedBy !== null;
  return (
    <Group title="Ownership">
      <ul class="items">
        <li>
          <Mark result={isVerified && !missingProof ? 'PASS' : 'UNDETERMINED'} isDecorative />
          <span>
            {isVerified ? (
              <>
                Verified by {VERIFIED_BY_WORDS[verifiedBy]}
                <br />
                <span class="soft small">
                  <time dateTime={verifiedAt}>{formatMoment(verifiedAt, now.toISOString())} UTC</time>
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

const TAGS_FIELD = 'tag';

/** Includes the commas. */
const TYPED_CHARS_MAX = TAGS_MAX * (TAG_CHARS_MAX + 2);

interface TagsFormProps {
  readonly site: OwnSite;
  /** The submitted text. */
  readonly typed: string;
  readonly errors: FieldErrors | null;
}

/** Edits the tags of a site. */
function TagsForm({ site, typed, errors }: TagsFormProps): JSX.Element {
  return (
    <Group title="Tags" meaning="to find and group sites" id="tags">
      <form method="post" action={addressOf.tags(site.id)} novalidate>
        <Field
          name={TAGS_FIELD}
          label="Tags"
          hint={`Comma-separated, e.g. shops, Acme. Up to ${TAGS_MAX}. Nobody else sees them.`}
          value={errors?.[TAGS_FIELD] === undefined ? site.tags.join(', ') : typed}
          errors={errors}
          required={false}
          autocomplete="off"
          maxLength={TYPED_CHARS_MAX}
        />
        <button type="submit" class="quiet">
          Save tags
        </button>
      </form>
    </Group>
  );
}
