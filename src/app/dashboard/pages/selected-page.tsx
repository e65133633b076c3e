import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import { isId } from '../../../platform/ids.js';
import { InputError } from '../../../platform/input-error.js';
import { HostName, Group, Mast } from '../../../web/kit/components/mast.js';
import type { RouteContext } from '../../../web/kit/context.js';
import { addForm, type FieldErrors, fieldOf, fieldsOf } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import type { Account } from '../../accounts/accounts.js';
import { sessionOf } from '../../accounts/pages/session.js';
import type { Part, PartDeps } from '../../part.js';
import type { LeftOut, ManyOutcome } from '../../sites/many.js';
import { actOf, type Act, type ActWords } from './acts.js';
import { SELECTED_ADDRESS } from './select-form.js';
import { hrefOf, listedSitesOf, sitesOf, viewOf } from './sites-view.js';

/** More host names than these are counted. */
const NAMED_MAX = 100;

interface Model {
  readonly account: Account;
  /** Back to the list as it was. */
  readonly back: string;
}

/** Does one thing to the sites that were selected in the list, or to all that its filter shows, and says what came of it. */
export const addSelectedPage: Part = (router, deps) => {
  const { sendPage } = deps;
  addForm<Model>(router, sendPage, {
    path: SELECTED_ADDRESS,
    shownAt: null,
    load(ctx) {
      const view = viewOf(ctx);
      return { account: sessionOf(ctx).account, back: hrefOf(view, { page: view.page }) };
    },
    async submit(ctx, { account, back }) {
      const act = actOf(fieldOf(ctx, 'act'));
      const siteIds = await selectedOf(ctx, account, deps);
      const tag = fieldOf(ctx, 'tag');
      const outcome = await act.perform({ account, siteIds, tag }, deps);
      sendPage(ctx, outcomePage(outcome, act, { back, tag }));
    },
    render: (_ctx, { back }, errors) => refusalPage(errors, back),
  });
};

/** The ids of the sites. @throws InputError where there are none */
async function selectedOf(
  ctx: RouteContext,
  account: Account,
  { history }: Pick<PartDeps, 'history'>,
): Promise<readonly string[]> {
  const isAll = fieldOf(ctx, 'all') !== '';
  const ids = isAll
    ? sitesOf(viewOf(ctx), listedSitesOf(await history.overview(account.id))).map(({ site }) => site.id)
    : fieldsOf(ctx, 'site').filter((id) => isId('site', id));
  if (ids.length === 0) throw new InputError('No site is selected. Tick those that you mean, or all that are shown.');
  return ids;
}

function outcomePage(
  outcome: ManyOutcome,
  act: Act,
  { back, tag }: { readonly back: string; readonly tag: string },
): Page {
  const words = act.words(tag);
  const { done, same, leftOut } = outcome;
  return {
    title: 'Many sites',
    mast: (
      <SelectedMast
        back={back}
        title={`${words.done}: ${countOf(done.length, 'site')}`}
        lead={leadOf(outcome, words)}
      />
    ),
    main: (
      <div class="w over-text">
        {leftOut.length > 0 && (
          <Group title="Left out" meaning={countOf(leftOut.length, 'site')}>
            <LeftOutByReason leftOut={leftOut} />
          </Group>
        )}
        {done.length > 0 && (
          <Group title={words.done} meaning={countOf(done.length, 'site')}>
            <Names hostnames={done} />
          </Group>
        )}
        {same.length > 0 && (
          <Group title={words.same} meaning={countOf(same.length, 'site')}>
            <Names hostnames={same} />
          </Group>
        )}
      </div>
    ),
  };
}

/** `2 were so already. 1 is left out: why stands below.` */
function leadOf({ same, leftOut }: ManyOutcome, { after }: ActWords): string {
  const parts = [
    ...(same.length > 0 ? [`${countOf(same.length, 'site')} ${same.length === 1 ? 'was' : 'were'} so already.`] : []),
    ...(leftOut.length > 0 ? [`${countOf(leftOut.length, 'site')} left out, for the reasons below.`] : []),
    ...(after === undefined ? [] : [after]),
  ];
  return parts.join(' ');
}

function LeftOutByReason({ leftOut }: { readonly leftOut: readonly LeftOut[] }): JSX.Element {
  return (
    <>
      {[...Map.groupBy(leftOut, ({ why }) => why)].map(([why, sites]) => (
        <div key={why}>
          <p>{why}</p>
          <Names hostnames={sites.flatMap(({ hostname }) => hostname ?? [])} />
        </div>
      ))}
    </>
  );
}

function Names({ hostnames }: { readonly hostnames: readonly string[] }): JSX.Element | null {
  if (hostnames.length === 0) return null;
  const rest = hostnames.length - NAMED_MAX;
  return (
    <p class="small soft">
      {hostnames.slice(0, NAMED_MAX).map((hostname, index) => (
        <span key={hostname}>
          {index > 0 && ', '}
          <HostName name={hostname} />
        </span>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </p>
  );
}

function refusalPage(errors: FieldErrors | null, back: string): Page {
  const [message = ''] = Object.values(errors ?? {});
  return {
    title: 'Many sites',
    mast: <SelectedMast back={back} title="Nothing was changed" lead={message} />,
    main: <div class="w" />,
  };
}

interface SelectedMastProps {
  readonly back: string;
  readonly title: string;
  readonly lead: string;
}

function SelectedMast({ back, title, lead }: SelectedMastProps): JSX.Element {
  return (
    <Mast
      crumbs={[[back, 'Sites']]}
      here="Selected"
      title={title}
      lead={lead}
      actions={
        <a class="btn" href={back}>
          Back to the sites
        </a>
      }
    />
  );
}
