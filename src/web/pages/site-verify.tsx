import { describeMissing } from '../../app/sites/missing-proof.js';
import type { OwnSite, VerifiedBy } from '../../app/sites/site.js';
import { type OwnershipAttempt, RECHECK_AFTER_DAYS } from '../../app/sites/proof.js';
import { ActionButton, SidebarPart, Tabs, WithSidebar } from '../html/sections.js';
import { HostName, SiteHeader } from '../html/page-header.js';
import { Snippet, Time } from '../html/text.js';
import { addForm, loadOwnSite, redirectWithNotice, sendPage } from '../server/routes.js';
import type { AddRoutes, Page, RouteDeps } from '../server/page.js';
import { addressOf } from '../server/paths.js';
import { listProofOptions, PLATFORM_NOTICE, PlatformForm, type ProofOption } from './site-ownership.js';

/** Completes `Verified by …`. */
export const VERIFIED_BY_WORDS: Readonly<Record<VerifiedBy, string>> = {
  dns: 'a DNS record',
  file: 'a file on the site',
  meta: 'a meta tag on the home page',
  domain: 'a DNS record for the whole domain',
  operator: 'the operator of this service',
};

export const addVerifyPage: AddRoutes = (router, deps) => {
  const { ownership } = deps;
  addForm(router, {
    path: addressOf.verify(':siteId'),
    load: loadOwnSite,
    async submit(ctx, site) {
      const { provedBy, attempts } = await ownership.verify(site);
      if (provedBy !== null) {
        redirectWithNotice(ctx, addressOf.site(site.id), 'verified');
        return;
      }
      const page = await verifyPage(deps, site, attempts);
      sendPage(ctx, { ...page, title: `Error: ${page.title}` });
    },
    render: (_, site) => verifyPage(deps, site),
  });
};

/** Shows what to publish. Also the page of an unverified site. @param attempts results of the last check, per proof */
export async function verifyPage(
  { ownership }: RouteDeps,
  site: OwnSite,
  attempts: readonly OwnershipAttempt[] = [],
): Promise<Page> {
  const { id, hostname, verifiedAt } = site;
  const options = listProofOptions(await ownership.instructions(site), site.platform);
  const panels = options.map(({ name, instructions, texts }) => {
    const snippets = texts.map(([label, text]) => <Snippet key={label} text={text} label={label} />);
    return [name, [<p>{instructions}</p>, ...snippets]] as const;
  });
  return {
    title: `Verify ownership, ${hostname}`,
    notices: {
      ...PLATFORM_NOTICE,
      added: 'The site is added. We don’t scan it until you’ve verified it.',
      'added-from-page': `You gave the address of a page. A site is a whole host, so we added ${hostname}.`,
    },
    header: (
      <SiteHeader
        site={site}
        at={verifiedAt === null ? addressOf.site(id) : addressOf.settings(id)}
        below={{ here: 'Verify' }}
        title={
          <>
            Verify that you own <HostName name={hostname} showsAscii />
          </>
        }
        lead={<Lead site={site} />}
      />
    ),
    main: (
      <WithSidebar
        sidebar={
          <SidebarPart title="Good to know">
            <p class="small soft">
              What you publish isn’t secret. Leave it in place: we look for it again every {RECHECK_AFTER_DAYS} days.
            </p>
            <p class="small">
              <a href={addressOf.remove(id)}>Remove this site</a>
            </p>
          </SidebarPart>
        }
      >
        {attempts.length > 0 && <NotFound attempts={attempts} options={options} />}
        <div class="sec">
          <Tabs label="Proof" name="way" panels={panels} />
        </div>
        <div class="more">
          <ActionButton action={addressOf.verify(id)} icon="again" label="Verify" />
        </div>
        <div class="sec">
          <PlatformForm site={site} />
        </div>
      </WithSidebar>
    ),
  };
}

interface NotFoundProps {
  readonly attempts: readonly OwnershipAttempt[];
  readonly options: readonly ProofOption[];
}

function NotFound({ attempts, options }: NotFoundProps) {
  return (
    <div class="note is-f" role="alert" tabIndex={-1} data-focus>
      <h2>No proof found</h2>
      <ul>
        {options.map(({ method, name }) => (
          <li key={method}>
            <b>{name}:</b> {attempts.find((attempt) => attempt.method === method)?.seen}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Lead({ site }: { readonly site: OwnSite }) {
  const { verifiedAt, verifiedBy, missingProof, ownershipLostAt, latestNumber } = site;
  if (verifiedAt === null || verifiedBy === null) {
    return (
      <>
        {ownershipLostAt !== null && (
          <>
            No longer verified since <Time at={ownershipLostAt} />: we could not find the proof. Your runs are still
            here, without the evidence that quotes the site.{' '}
          </>
        )}
        Publish one of these, then press “Verify”.
        {latestNumber === 0 && ' The first run starts at once and takes less than a minute.'}
      </>
    );
  }
  return (
    <>
      The domain was verified <Time at={verifiedAt} />, by {VERIFIED_BY_WORDS[verifiedBy]}.
      {missingProof && ` ${describeMissing(missingProof)}.`}
    </>
  );
}

/** The three steps from adding a site to its first result. */
export function Steps() {
  const steps = [
    ['Add the site', 'Its address is enough.'],
    ['Verify that you own it', 'By a text file, a DNS record or a meta tag. We don’t scan until you’ve verified it.'],
    ['See the first run', 'It starts at once and takes less than a minute.'],
  ];
  return (
    <ol class="steps">
      {steps.map(([title, words]) => (
        <li key={title}>
          <b>{title}</b>
          <span>{words}</span>
        </li>
      ))}
    </ol>
  );
}
