import { type LineState, LIST_LINES_MAX, type ListLine } from '../../app/sites/add-sites.js';
import { parsePageUrl } from '../../app/sites/site-input.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { Group } from '../html/sections.js';
import { SiteField, Form } from '../html/form.js';
import { cutText, HostName, PageHeader } from '../html/page-header.js';
import type { AddRoutes, FieldErrors, Page } from '../server/page.js';
import { addForm, fieldOf, queryOf, redirectWithNotice, sendPage, sessionOf } from '../server/routes.js';
import { addressOf, type Link } from '../server/paths.js';
import { Steps } from './site-verify.js';
import { readDnsRecords, VerifyMany } from './sites-verify.js';

const CRUMBS: readonly Link[] = [
  ['/sites', 'Sites'],
  ['/sites/new', 'Add'],
];

/** Adds a site by the address of any of its pages. */
export const addNewSitePage: AddRoutes = (router, { sites }) => {
  addForm(router, {
    path: '/sites',
    shownAt: '/sites/new',
    field: 'site',
    load: (ctx) => sessionOf(ctx).account.id,
    async submit(ctx, accountId) {
      const site = fieldOf(ctx, 'site');
      const { id } = await sites.add({ accountId, site });
      redirectWithNotice(ctx, addressOf.verify(id), parsePageUrl(site) !== null ? 'added-from-page' : 'added');
    },
    render: (ctx, _accountId, errors) => ({
      title: 'Add a site',
      header: (
        <PageHeader
          crumbs={[['/sites', 'Sites']]}
          here="Add"
          title="Add a site"
          lead="Once you’ve verified that you own it, its first run starts at once."
        />
      ),
      main: (
        <div class="w over-text">
          <AddForm site={errors === null ? queryOf(ctx, 'site') : fieldOf(ctx, 'site')} errors={errors} />
          <div class="sec">
            <Steps />
          </div>
        </div>
      ),
    }),
  });
};

export const addImportPage: AddRoutes = (router, deps) => {
  const { sites } = deps;
  addForm(router, {
    path: addressOf.addMany,
    field: 'list',
    load: (ctx) => sessionOf(ctx).account.id,
    async submit(ctx, accountId) {
      await sites.consumeList(accountId);
      const list = fieldOf(ctx, 'list');
      const lines = await sites.addList(accountId, list);
      sendPage(ctx, outcomePage(lines, list, await readDnsRecords(deps, accountId)));
    },
    render: (ctx, _accountId, errors) => ({
      title: 'Add many sites',
      header: (
        <PageHeader
          crumbs={CRUMBS}
          here="Many"
          title="Add many sites"
          lead="Paste their addresses. We add each site that we can, and then show you the result of every line."
        />
      ),
      main: (
        <div class="w over-text">
          <ListForm list={fieldOf(ctx, 'list')} errors={errors} />
        </div>
      ),
    }),
  });
};

function ListForm({ list, errors = null }: { readonly list: string; readonly errors?: FieldErrors | null }) {
  return (
    <Form
      action={addressOf.addMany}
      errors={errors}
      button="Add sites"
      fields={[
        {
          name: 'list',
          label: 'Addresses',
          hint: `One per line, up to ${LIST_LINES_MAX}. To tag a site, add #tag after its address: shop.example.org #shops. One host is one site.`,
          value: list,
          isLong: true,
          rows: 12,
          isVerbatim: true,
        },
      ]}
    />
  );
}

/** The form that adds a site, on any page. */
export function AddForm({
  site = '',
  errors = null,
}: {
  readonly site?: string;
  readonly errors?: FieldErrors | null;
}) {
  return (
    <form method="post" action="/sites" novalidate>
      <SiteField
        label="Site"
        hint="The address of any of its pages works. One host is one site: www.example.com and example.com are two."
        value={site}
        errors={errors}
        button="Add site"
      />
      <p class="small">
        <a href={addressOf.addMany}>Add many at once</a>
      </p>
    </form>
  );
}

/** Headings by state. */
const STATES: Readonly<Record<LineState, string>> = {
  refused: 'Not added',
  'over-limit': 'No room on your plan',
  unchecked: 'Not looked up',
  duplicate: 'Duplicate',
  existing: 'Already in your account',
  added: 'Added',
};

const FAILED_STATES: readonly LineState[] = ['refused', 'over-limit', 'unchecked'];

/** Limit the size of the page. */
const LINKED_MAX = 100;
const INPUT_CHARS_MAX = 60;
const LIST_CHARS_MAX = 8_000;

/** Returns the lines that fit on the page. */
function firstLines(lines: readonly string[]): readonly string[] {
  let chars = 0;
  return lines.filter((line) => (chars += line.length + 1) <= LIST_CHARS_MAX);
}

/** States of lines that can be corrected and sent again. */
const CORRECTABLE_STATES: ReadonlySet<LineState> = new Set(['refused', 'unchecked']);

function outcomePage(
  lines: readonly ListLine[],
  list: string,
  unverified: Awaited<ReturnType<typeof readDnsRecords>>,
): Page {
  const added = lines.filter(({ state }) => state === 'added').length;
  const input = list.split(/\r\n|\r|\n/);
  const toCorrect = lines.flatMap(({ line, state }) => (CORRECTABLE_STATES.has(state) ? (input[line - 1] ?? []) : []));
  const failed = lines.filter(({ state }) => FAILED_STATES.includes(state)).length;
  return {
    title: 'Sites added',
    header: (
      <PageHeader
        crumbs={CRUMBS}
        here="Many"
        title={added === 0 ? 'No sites added' : `${countOf(added, 'site')} added${failed > 0 ? `, ${failed} not` : ''}`}
        lead={added > 0 ? 'Verify them to start their first runs.' : undefined}
        actions={
          <a class="btn quiet" href={added > 0 ? '/sites?show=unverified' : addressOf.addMany}>
            {added > 0 ? 'See them in the list' : 'Add another list'}
          </a>
        }
      />
    ),
    main: (
      <div class="w over-text">
        <LineGroups lines={lines} states={FAILED_STATES} />
        {toCorrect.length > 0 && (
          <Group title="Correct and add again" meaning={countOf(toCorrect.length, 'line')}>
            <ListForm list={firstLines(toCorrect).join('\n')} />
          </Group>
        )}
        {added > 0 && <VerifyMany {...unverified} />}
        <LineGroups lines={lines} states={['duplicate', 'existing', 'added']} />
      </div>
    ),
  };
}

interface LineGroupsProps {
  readonly lines: readonly ListLine[];
  readonly states: readonly LineState[];
}

function LineGroups({ lines, states }: LineGroupsProps) {
  const isLinked = lines.filter(({ state }) => state === 'added').length <= LINKED_MAX;
  return states.map((state) => {
    const matching = lines.filter((line) => line.state === state);
    if (matching.length === 0) return null;
    // Each duplicate has its own reason, which names the line it repeats; other reasons apply to many lines.
    const byReason = Map.groupBy(matching, ({ why }) => (state === 'duplicate' ? '' : (why ?? '')));
    return (
      <Group key={state} title={STATES[state]} meaning={countOf(matching.length, 'line')}>
        {[...byReason].map(([why, ofReason]) => (
          <>
            {why !== '' && <p>{why}</p>}
            <ol>
              {ofReason.map((line) => (
                <li key={line.line} value={line.line}>
                  <LineName line={line} isLinked={isLinked} />
                  {why === '' && line.why !== null && <span class="soft small"> {line.why}</span>}
                </li>
              ))}
            </ol>
          </>
        ))}
      </Group>
    );
  });
}

function LineName({ line, isLinked }: { readonly line: ListLine; readonly isLinked: boolean }) {
  const { hostname, shownAddress, siteId, tags } = line;
  const name = hostname === null ? <code>{cutText(shownAddress, INPUT_CHARS_MAX)}</code> : <HostName name={hostname} />;
  if (siteId === null) return name;
  return (
    <>
      {isLinked ? <a href={addressOf.verify(siteId)}>{name}</a> : name}
      {tags.length > 0 && <span class="soft small"> {tags.map((tag) => `#${tag}`).join(' ')}</span>}
    </>
  );
}
