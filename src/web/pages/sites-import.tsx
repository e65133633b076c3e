import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { PROGRAM } from '../../scanner/report/program.js';
import { Fold } from '../html/fold.js';
import { ErrorSummary, Field } from '../html/form.js';
import { cutText, Group, HostName, PageHeader } from '../html/page-header.js';
import { Snippet } from '../html/text.js';
import { addForm, fieldOf } from '../server/form.js';
import type { Link } from '../html/layout.js';
import type { Page } from '../server/page.js';
import { sessionOf } from '../server/session.js';
import type { Part } from '../server/page-part.js';
import { type LineState, LIST_LINES_MAX, type ListLine } from '../../app/sites/site-list.js';
import { addressOf } from '../server/site-paths.js';

const CRUMBS: readonly Link[] = [
  ['/sites', 'Sites'],
  ['/sites/new', 'Add'],
];

/** Adds a list of sites, and shows the result of each line. */
export const addImportPage: Part = (router, { sites, sendPage }) => {
  addForm(router, sendPage, {
    path: addressOf.addMany,
    field: 'list',
    load: (ctx) => sessionOf(ctx).account,
    async submit(ctx, { id }) {
      await sites.consumeList(id);
      const lines = await sites.addList(id, fieldOf(ctx, 'list'));
      sendPage(ctx, outcomePage(lines));
    },
    render: (ctx, { id }, errors) => ({
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
          <ErrorSummary errors={errors} />
          <form method="post" action={addressOf.addMany} class="many" novalidate>
            <Field
              name="list"
              label="Addresses"
              hint={`One per line, up to ${LIST_LINES_MAX}, with tags after it: https://shop.example.org #shops. One host is one site.`}
              value={fieldOf(ctx, 'list')}
              errors={errors}
              isLong
              rows={12}
              isVerbatim
            />
            <button type="submit">Add sites</button>
          </form>
          <Fold title="From a terminal">
            <p class="small">The operator of this service can add the same list with</p>
            <Snippet text={`${PROGRAM} site add --account ${id} --file sites.txt`} label="command" />
          </Fold>
        </div>
      ),
    }),
  });
};

/** Headings by state; the states that need attention come first. */
const STATES: Readonly<Record<LineState, string>> = {
  refused: 'Not added',
  over: 'No room on your plan',
  late: 'Not looked up',
  twice: 'Duplicate',
  had: 'Already in your account',
  added: 'Added',
};

function outcomePage(lines: readonly ListLine[]): Page {
  const added = lines.filter(({ state }) => state === 'added').length;
  return {
    title: 'Sites added',
    header: (
      <PageHeader
        crumbs={CRUMBS}
        here="Many"
        title={`${added === 0 ? 'No site' : countOf(added, 'site')} added`}
        lead={added > 0 ? 'Verify them to start their first runs.' : undefined}
        actions={
          <>
            {added > 0 && (
              <a class="btn" href="/sites?show=unverified">
                Verify them
              </a>
            )}
            <a class={added > 0 ? 'btn quiet' : 'btn'} href={addressOf.addMany}>
              Add another list
            </a>
          </>
        }
      />
    ),
    main: (
      <div class="w over-text">
        {Object.entries(STATES).map(([state, title]) => {
          const ofState = lines.filter((line) => line.state === state);
          const groups = Map.groupBy(ofState, ({ why }) => (SHARED_REASONS.has(state) ? why : null));
          return [...groups].map(([why, group]) => (
            <Group key={`${state} ${why}`} title={title} meaning={countOf(group.length, 'line')}>
              {why !== null && <p>{why}</p>}
              <ol class="outcomes">
                {group.map((line) => (
                  <Line key={line.line} line={line} hasLink={added <= LINKED_MAX} hasReason={why === null} />
                ))}
              </ol>
            </Group>
          ));
        })}
      </div>
    ),
  };
}

/** States whose reasons apply to many lines. */
const SHARED_REASONS: ReadonlySet<string> = new Set(['refused', 'over', 'late']);

/** Limits the size of the page. */
const LINKED_MAX = 100;
const GIVEN_CHARS_MAX = 60;

interface LineProps {
  readonly line: ListLine;
  readonly hasLink: boolean;
  readonly hasReason: boolean;
}

function Line({ line: { line, given, hostname, why, siteId }, hasLink, hasReason }: LineProps): JSX.Element {
  const name = hostname === null ? <code>{cutText(given, GIVEN_CHARS_MAX)}</code> : <HostName name={hostname} />;
  return (
    <li value={line}>
      {siteId !== null && hasLink ? <a href={addressOf.verify(siteId)}>{name}</a> : name}
      {hasReason && why !== null && <span class="soft small"> {why}</span>}
    </li>
  );
}
