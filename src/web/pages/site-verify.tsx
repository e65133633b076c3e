import type { JSX } from 'preact';
import { ActionButton, ErrorSummary } from '../html/form.js';
import { HostName } from '../html/page-header.js';
import { Time } from '../html/text.js';
import { addForm, type FieldErrors, seeNotice } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part } from '../server/page-part.js';
import { type OwnershipAttempt, type OwnershipInstructions, RECHECK_AFTER_DAYS } from '../../app/sites/proof.js';
import { describeMissing } from '../../app/sites/ownership-recheck.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import type { Site, VerifiedBy } from '../../app/sites/site.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnSite } from '../server/requested-site.js';
import { SiteHeader } from './site-header.js';
import { SidebarPart, SidebarText, WithSidebar } from '../html/sidebar.js';
import { OwnershipWays, PLATFORM_NOTICE } from './site-ownership.js';

/** Completes `Verified by …`. */
export const VERIFIED_BY_WORDS: Readonly<Record<VerifiedBy, string>> = {
  dns: 'a DNS record',
  file: 'a file on the site',
  meta: 'a meta tag on the home page',
  domain: 'a DNS record for the whole domain',
  operator: 'the operator of this service',
};

/** Verifies that an account owns a domain. */
export const addVerifyPage: Part = (router, { sites, ownership, clock, sendPage }) => {
  const render = async (
    site: OwnSite,
    { attempts = [], errors = null }: Partial<Pick<VerifyPageProps, 'attempts' | 'errors'>>,
  ): Promise<Page> =>
    verifyPage({ site, ways: await ownership.instructions(site), attempts, errors, now: clock.now() });

  addForm(router, sendPage, {
    path: addressOf.verify(':siteId'),
    load: (ctx) => loadOwnSite(ctx, { sites }),
    async submit(ctx, site) {
      const { provedBy, attempts } = await ownership.verify(site);
      if (provedBy !== null) {
        seeNotice(ctx, addressOf.site(site.id), 'verified');
        return;
      }
      const page = await render(site, { attempts });
      sendPage(ctx, { ...page, title: `Error: ${page.title}` });
    },
    render: (_, site, errors) => render(site, { errors }),
  });
};

interface VerifyPageProps {
  readonly site: OwnSite;
  readonly ways: OwnershipInstructions;
  readonly attempts: readonly OwnershipAttempt[];
  readonly errors: FieldErrors | null;
  readonly now: Date;
}

function verifyPage(props: VerifyPageProps): Page {
  const { site, ways, attempts, errors } = props;
  const { id, hostname, verifiedAt } = site;
  return {
    title: `Verify ownership, ${hostname}`,
    notices: {
      ...PLATFORM_NOTICE,
      added: 'The site is added. We don’t scan it until you’ve verified it.',
      'added-from-page': 'You gave the address of a page. A site is the whole host, so that is what we added.',
    },
    header: (
      <SiteHeader
        site={site}
        at={verifiedAt === null ? addressOf.site(id) : addressOf.settings(id)}
        below={{ here: 'Verify' }}
        isNamed
        title={
          <>
            Verify that you own <HostName name={hostname} isDouble />
          </>
        }
        lead={<Lead {...props} />}
      />
    ),
    main: (
      <WithSidebar rail={<OwnershipRail site={site} />}>
        <ErrorSummary errors={errors} />
        {attempts.length > 0 && <NotFound siteId={id} />}
        <OwnershipWays site={site} ways={ways} attempts={attempts} />
      </WithSidebar>
    ),
  };
}

function Lead({ site, now }: Pick<VerifyPageProps, 'site' | 'now'>): JSX.Element {
  const { verifiedAt, verifiedBy, missingProof, latestNumber } = site;
  if (verifiedAt === null || verifiedBy === null) {
    const then = latestNumber === 0 ? 'the first run starts at once' : 'runs can start';
    return <>Publish one of these, then check. Once it is found, {then}.</>;
  }
  return (
    <>
      The domain was verified <Time at={verifiedAt} now={now} />, by {VERIFIED_BY_WORDS[verifiedBy]}.{' '}
      {verifiedBy === 'operator'
        ? 'It stays verified, whatever later checks find.'
        : `Leave the proof in place: we look for it again every ${RECHECK_AFTER_DAYS} days.`}
      {missingProof && ` ${describeMissing(missingProof)}.`}
    </>
  );
}

function NotFound({ siteId }: { readonly siteId: string }): JSX.Element {
  return (
    <div class="note is-f row apart" role="alert" tabIndex={-1} data-focus>
      <div>
        <h2>No proof found</h2>
        <p>We checked just now. Below is what we saw.</p>
      </div>
      <ActionButton action={addressOf.verify(siteId)} icon="again">
        Check ownership now
      </ActionButton>
    </div>
  );
}

/** Sidebar of the page: steps, a hint, and the link that removes the site. */
export function OwnershipRail({ site }: { readonly site: Site }): JSX.Element {
  const { id, verifiedAt, latestNumber } = site;
  return (
    <>
      {verifiedAt === null && latestNumber === 0 && <StepsRail at={1} />}
      <SidebarText title="Good to know">
        Leave the text in place: we look for it again every {RECHECK_AFTER_DAYS} days.
      </SidebarText>
      <p class="small">
        <a href={addressOf.remove(id)}>Remove this site</a>
      </p>
    </>
  );
}

interface StepsProps {
  /** Index of the next step. */
  readonly at: number;
  /** True if only later steps have descriptions: the page itself describes the current one. */
  readonly isBrief?: boolean;
}

/** The three steps from adding a site to its first result. */
export function Steps({ at, isBrief = false }: StepsProps): JSX.Element {
  const steps = [
    ['Add the site', 'Its address is enough.'],
    ['Verify that you own it', 'By a text file, a DNS record or a meta tag. We don’t scan until you’ve verified it.'],
    ['See the first run', 'It starts at once and takes less than a minute.'],
  ];
  return (
    <ol class="steps">
      {steps.map(([title, words], index) => (
        <li key={title} aria-current={index === at ? 'step' : undefined} class={index < at ? 'done' : undefined}>
          <b>
            {title}
            {index < at && <span class="hide">, done</span>}
          </b>
          {!(isBrief && index <= at) && <span>{words}</span>}
        </li>
      ))}
    </ol>
  );
}

/** The steps in a sidebar. */
function StepsRail({ at }: Pick<StepsProps, 'at'>): JSX.Element {
  return (
    <SidebarPart title="Three steps">
      <Steps at={at} isBrief />
    </SidebarPart>
  );
}
