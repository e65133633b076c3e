import type { JSX } from 'preact';
import { countOf, formatCount } from '../../../platform/counts.js';
import type { Result } from '../../../scanner/verdict/vocabulary.js';
import { ActionButton, ErrorSummary } from '../../../web/kit/components/form.js';
import { Mark } from '../../../web/kit/components/icons.js';
import { HostName, Mast } from '../../../web/kit/components/mast.js';
import { NumberedPager, pageCountOf } from '../../../web/kit/components/pager.js';
import { PickItem } from '../../../web/kit/components/pick.js';
import { TableHead } from '../../../web/kit/components/table.js';
import { queryOf, type RouteContext, seeOther } from '../../../web/kit/context.js';
import { addForm, type FieldErrors, fieldOf } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import type { Account } from '../../accounts/accounts.js';
import { sessionOf } from '../../accounts/pages/session.js';
import type { Part } from '../../part.js';
import { countStates, LINE_STATES, type LineState, type ListLine } from '../site-list.js';
import type { KeptList } from '../site-lists.js';
import { addressOf } from './addresses.js';
import { parseNumber } from './asked-site.js';

const LINES_A_PAGE = 50;

/** What comes of a line, as its filter and its row say it. */
const STATES: Readonly<Record<LineState, readonly [words: string, mark: Result]>> = {
  new: ['Can be added', 'PASS'],
  late: ['Not looked up yet', 'UNDETERMINED'],
  added: ['Added', 'PASS'],
  had: ['Already yours', 'NOT_APPLICABLE'],
  twice: ['Twice in this list', 'NOT_APPLICABLE'],
  refused: ['Cannot be added', 'FAIL'],
  over: ['No room on your plan', 'UNDETERMINED'],
};

interface Model {
  readonly account: Account;
  readonly list: KeptList | null;
  /** How many sites the account has. */
  readonly count: number;
}

/** What comes of each line of the list that was given last: before its sites are added, and after. */
export const addListOfSitesPage: Part = (router, { siteLists, sites, sendPage }) => {
  const load = async (ctx: RouteContext): Promise<Model> => {
    const { account } = sessionOf(ctx);
    const [list, count] = await Promise.all([siteLists.kept(account.id), sites.count(account.id)]);
    return { account, list, count };
  };
  const render = (ctx: RouteContext, { account, list, count }: Model, errors: FieldErrors | null): Page =>
    list === null ? goneList() : listPage(ctx, list, { room: roomOf(sites.sitesMaxOf(account.plan), count), errors });
  addForm(router, sendPage, {
    path: addressOf.list,
    load,
    async submit(ctx, { account: { id } }) {
      if (fieldOf(ctx, 'again') === '') {
        await siteLists.addKept(id, fieldOf(ctx, 'id'));
      } else {
        await siteLists.takeTurn(id);
        await siteLists.lookAgain(id, fieldOf(ctx, 'id'));
      }
      seeOther(ctx, addressOf.list);
    },
    render,
  });
};

function goneList(): Page {
  return {
    title: 'No list of sites',
    status: 404,
    mast: (
      <Mast
        crumbs={[['/sites', 'Sites']]}
        here="Add"
        title="There is no list here"
        lead="A list is kept for a day. What was added of it stays."
        actions={<GiveAnother isSolid />}
      />
    ),
    main: <div class="w" />,
  };
}

interface ListProps {
  /** How many more sites the plan takes. */
  readonly room: string;
  readonly errors: FieldErrors | null;
}

function listPage(ctx: RouteContext, list: KeptList, { room, errors }: ListProps): Page {
  const { lines, addedAt, isLooking } = list;
  const counts = countStates(lines);
  const show = LINE_STATES.find((state) => state === queryOf(ctx, 'show')) ?? null;
  const found = show === null ? lines : lines.filter(({ state }) => state === show);
  const page = Math.min(parseNumber(queryOf(ctx, 'page')) ?? 1, pageCountOf(found.length, LINES_A_PAGE));
  const isAdded = addedAt !== null;
  return {
    title: isAdded ? 'Sites added' : 'Sites to add',
    styles: ['lists.css', 'many.css'],
    ...(isLooking && { reload: { href: addressOf.list } }),
    mast: (
      <Mast
        crumbs={[
          ['/sites', 'Sites'],
          ['/sites/new', 'Add'],
        ]}
        here="List"
        title={
          isAdded
            ? outcomeOf(counts.added)
            : `${counts.new === 0 ? 'No site' : countOf(counts.new, 'site')} can be added`
        }
        lead={leadOf(isAdded, counts, room)}
        actions={!isLooking && <Acts list={list} counts={counts} />}
      />
    ),
    main: (
      <div class="w">
        <ErrorSummary errors={errors} />
        {isLooking && <Looking left={counts.late} count={lines.length} />}
        <div class="row apart bar">
          <ul class="pick" aria-label="Filter">
            <PickItem href={hrefOf(null, 1)} isChosen={show === null} count={lines.length}>
              All
            </PickItem>
            {LINE_STATES.filter((state) => counts[state] > 0).map((state) => (
              <PickItem key={state} href={hrefOf(state, 1)} isChosen={show === state} count={counts[state]}>
                {STATES[state][0]}
              </PickItem>
            ))}
          </ul>
        </div>
        <Lines lines={found.slice((page - 1) * LINES_A_PAGE, page * LINES_A_PAGE)} />
        <div class="row apart sec">
          <NumberedPager
            label="Pages of the list"
            page={page}
            pageSize={LINES_A_PAGE}
            count={found.length}
            what="lines"
            hrefOf={(to) => hrefOf(show, to)}
          />
        </div>
      </div>
    ),
  };
}

function outcomeOf(added: number): string {
  return added === 0 ? 'No site was added' : `${countOf(added, 'site')} added`;
}

function leadOf(isAdded: boolean, { added, over }: Readonly<Record<LineState, number>>, room: string): string {
  const end = over === 0 ? '' : ` ${room}`;
  if (isAdded) return added === 0 ? end : `Each starts to run once it is shown to be yours.${end}`;
  return `${added === 0 ? 'Nothing is added yet.' : `${countOf(added, 'site')} of it added so far.`}${end}`;
}

function roomOf(sitesMax: number, count: number): string {
  const left = Math.max(0, sitesMax - count);
  return `Your plan has room for ${countOf(sitesMax, 'site')}: ${left === 0 ? 'none is' : `${formatCount(left)} ${left === 1 ? 'is' : 'are'}`} left.`;
}

function Looking({ left, count }: { readonly left: number; readonly count: number }): JSX.Element {
  return (
    <p id="looking" class="note" role="status" data-pending="page">
      <b>Looking up the names.</b> {formatCount(left)} of {countOf(count, 'line')} to go.
    </p>
  );
}

function hrefOf(show: LineState | null, page: number): string {
  const query = new URLSearchParams({ ...(show !== null && { show }), ...(page > 1 && { page: String(page) }) });
  return query.size === 0 ? addressOf.list : `${addressOf.list}?${query.toString()}`;
}

interface ActsProps {
  readonly list: KeptList;
  readonly counts: Readonly<Record<LineState, number>>;
}

/** What comes next: one of them is solid. */
function Acts({ list: { id, addedAt }, counts: { new: fresh, late, added } }: ActsProps): JSX.Element {
  const isAdding = addedAt === null && fresh > 0;
  const isProving = !isAdding && late === 0 && added > 0;
  return (
    <>
      {isAdding && (
        <ActionButton action={addressOf.list} icon="plus" fields={{ id }}>
          Add {countOf(fresh, 'site')}
        </ActionButton>
      )}
      {late > 0 && (
        <ActionButton
          action={addressOf.list}
          icon="again"
          kind={isAdding ? 'quiet' : 'solid'}
          fields={{ id, again: 'again' }}
        >
          Look up {countOf(late, 'name')} again
        </ActionButton>
      )}
      {isProving && (
        <a class="btn" href="/sites?show=unverified">
          Show that they are yours
        </a>
      )}
      <GiveAnother isSolid={!isAdding && late === 0 && !isProving} />
    </>
  );
}

function GiveAnother({ isSolid = false }: { readonly isSolid?: boolean }): JSX.Element {
  return (
    <a class={isSolid ? 'btn' : 'btn quiet'} href={addressOf.addMany}>
      Give another list
    </a>
  );
}

function Lines({ lines }: { readonly lines: readonly ListLine[] }): JSX.Element {
  return (
    <table class="stack lines">
      <caption class="hide">Lines of the list</caption>
      <TableHead columns={[['Line'], ['Site'], ['What comes of it']]} />
      <tbody>
        {lines.map((line) => (
          <Row key={line.line} {...line} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ line, given, hostname, state, why, siteId }: ListLine): JSX.Element {
  const [words, mark] = STATES[state];
  return (
    <tr>
      <td class="num soft" data-label="Line">
        {formatCount(line)}
      </td>
      <th scope="row">
        {hostname === null ? <code>{given === '' ? ' ' : given}</code> : <Named hostname={hostname} siteId={siteId} />}
        {hostname !== null && given !== hostname && <small class="soft">{given}</small>}
      </th>
      <td>
        <Mark result={mark} isSaid /> {words}
        {why !== null && <small class="soft">{why}</small>}
      </td>
    </tr>
  );
}

function Named({ hostname, siteId }: { readonly hostname: string; readonly siteId: string | null }): JSX.Element {
  const name = <HostName name={hostname} isDouble />;
  return siteId === null ? name : <a href={addressOf.verify(siteId)}>{name}</a>;
}
