import type { OwnSite } from '../../app/sites/site.js';
import { describeMissing } from '../../app/sites/missing-proof.js';
import { choosePages, setPlatform, setTags, TAG_CHARS_MAX, TAGS_MAX } from '../../app/sites/site-settings.js';
import { describeChosen, type SampledPages } from '../../scanner/artifacts/pages.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import { Group, LinkButton } from '../html/sections.js';
import { Form } from '../html/form.js';
import { PLATFORM_FIELD } from '../html/platform-fix.js';
import { Moment, Snippet } from '../html/text.js';
import type { AddRoutes, FieldErrors, Page, RouteDeps, WebContext } from '../server/page.js';
import { addPage, fieldOf, loadOwnSite, redirectWithNotice } from '../server/routes.js';
import { addressOf } from '../server/paths.js';
import { SiteHeader } from '../html/page-header.js';
import { PLATFORM_NOTICE, PlatformForm } from './site-ownership.js';
import { VERIFIED_BY_WORDS } from './site-verify.js';

const PAGES = 'pages';
const TAGS = 'tag';

/** Settings of a site: ownership, platform, tags, chosen pages, id and removal. */
export const addSiteSettingsPage: AddRoutes = (router, deps) => {
  addPage(router, {
    notices: PLATFORM_NOTICE,
    path: addressOf.settings(':siteId'),
    load: loadOwnSite,
    render: (ctx, site, errors) => settingsPage(ctx, deps, site, errors),
    forms: [
      {
        path: addressOf.pages(':siteId'),
        field: PAGES,
        act: (ctx, site) => choosePages(deps, site, fieldOf(ctx, PAGES)),
        done: ['pages', 'Your choice of pages is saved. The next run uses it.'],
      },
      {
        path: addressOf.tags(':siteId'),
        act: (ctx, site) => setTags(deps, site, fieldOf(ctx, TAGS)),
        done: ['tags', 'The tags are saved.'],
      },
      {
        path: addressOf.platform(':siteId'),
        async submit(ctx, site) {
          await setPlatform(deps, site, fieldOf(ctx, PLATFORM_FIELD));
          // An unverified site next needs a proof that works on the platform.
          const next = site.verifiedAt === null ? addressOf.verify : addressOf.settings;
          redirectWithNotice(ctx, next(site.id), 'platform');
        },
      },
    ],
  });
};

async function settingsPage(
  ctx: WebContext,
  { history }: RouteDeps,
  site: OwnSite,
  errors: FieldErrors | null,
): Promise<Page> {
  const { id, latestNumber } = site;
  const chosen = site.chosenPages ?? [];
  const valueOf = (name: string, saved: string): string => (errors?.[name] === undefined ? saved : fieldOf(ctx, name));
  const deleted = latestNumber === 0 ? 'settings' : countOf(latestNumber, 'run');
  return {
    title: `Settings of ${site.hostname}`,
    header: <SiteHeader site={site} title="Settings" at={addressOf.settings(id)} />,
    main: (
      <div class="w over-text">
        <Group title="Ownership">
          <div class="row apart">
            <Ownership site={site} />
            <LinkButton
              kind="quiet"
              isTight
              href={addressOf.verify(id)}
              label={site.verifiedAt === null ? 'Verify' : 'Verify again'}
            />
          </div>
        </Group>
        <Group title="Platform" meaning="for fixes and ownership">
          <PlatformForm site={site} errors={errors} />
        </Group>
        <Group title="Tags" meaning="to find and group sites" id="tags">
          <Form
            action={addressOf.tags(id)}
            fields={[{ ...TAGS_FIELD, value: valueOf(TAGS, site.tags.join(', ')) }]}
            errors={errors}
            button="Save tags"
            isQuiet
          />
        </Group>
        <PagesGroup
          value={valueOf(PAGES, chosen.join('\n'))}
          {...{ site, errors, chosen, latest: (await history.summaries(site, 1))[0]?.pages ?? null }}
        />
        <Group title="For the API" meaning="id of the site">
          <Snippet text={id} label="id of the site" />
        </Group>
        <Group title="Remove">
          <div class="row apart">
            <p>Deletes the site and its {deleted}. This cannot be undone.</p>
            <LinkButton kind="danger" isTight href={addressOf.remove(id)} label="Remove this site" />
          </div>
        </Group>
      </div>
    ),
  };
}

const TAGS_FIELD = {
  name: TAGS,
  label: 'Tags, separated by commas',
  hint: `For example: shops, Acme. Up to ${TAGS_MAX}. Nobody else sees them.`,
  required: false,
  autocomplete: 'off',
  maxLength: TAGS_MAX * (TAG_CHARS_MAX + 2),
} as const;

const { chosenPagesMax: PAGES_MAX, otherPagesMax: LINKED_MAX } = SCAN_LIMITS;

const PAGES_FIELD = {
  name: PAGES,
  label: 'Pages to read first',
  hint: `Up to ${PAGES_MAX}, one per line: a path such as /pricing, or the address of a page of this site.`,
  required: false,
  isLong: true,
  rows: PAGES_MAX,
  isVerbatim: true,
} as const;

function Ownership({ site: { verifiedAt, verifiedBy, missingProof } }: { readonly site: OwnSite }) {
  if (verifiedAt === null || verifiedBy === null) return <p>Not verified: no run can start.</p>;
  return (
    <p>
      Verified by {VERIFIED_BY_WORDS[verifiedBy]}, <Moment at={verifiedAt} /> UTC.
      {missingProof && ` ${describeMissing(missingProof)}.`}
    </p>
  );
}

interface PagesGroupProps {
  readonly site: OwnSite;
  readonly value: string;
  readonly errors: FieldErrors | null;
  readonly chosen: readonly string[];
  readonly latest: SampledPages | null;
}

/** The chosen pages, and what the latest run found at each. A page that was not read fails no check. */
function PagesGroup({ site, value, errors, chosen, latest }: PagesGroupProps) {
  return (
    <Group title="Pages" meaning="read first in each run">
      <p class="soft">
        We check your home page and {LINKED_MAX} pages that it links to. Pages that you list here come first. If you
        list {LINKED_MAX} or more, we check no linked pages.
      </p>
      <Form
        action={addressOf.pages(site.id)}
        fields={[{ ...PAGES_FIELD, value }]}
        errors={errors}
        button="Save pages"
        isQuiet
      />
      {chosen.length > 0 && (
        <ol class="small more">
          {chosen.map((path) => {
            const page = latest?.chosen.find((one) => one.path === path);
            return (
              <li key={path}>
                <code>{path}</code>{' '}
                <span class="soft">{page ? describeChosen(page) : 'not yet: the next run reads it'}</span>
              </li>
            );
          })}
        </ol>
      )}
    </Group>
  );
}
