import type { JSX } from 'preact';
import { ActionButton, ErrorSummary } from '../html/form.js';
import { HostName } from '../html/mast.js';
import { Notice, Time } from '../html/text.js';
import { noticeOf, type RouteContext, seeOther } from '../server/context.js';
import { addForm, type FieldErrors } from '../server/form.js';
import type { Page } from '../server/page.js';
import type { Part } from '../server/page-part.js';
import type { OwnershipAttempt, OwnershipInstructions } from '../../app/sites/proof.js';
import { RECHECK_AFTER_DAYS } from '../../app/sites/proof.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import type { Site, VerifiedBy } from '../../app/sites/site.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnSite } from '../server/requested-site.js';
import { OwnershipRail, OwnershipWays } from './ownership-ways.js';
import { SiteMast } from './site-mast.js';
import { describeMissing } from '../../app/sites/ownership-recheck.js';
import { Two } from '../html/two.js';

/** Completes `Verified by …`. */
export const VERIFIED_BY_WORDS: Readonly<Record<VerifiedBy, string>> = {
  dns: 'a DNS record',
  file: 'a file on the site',
  meta: 'a meta tag on the home page',
  domain: 'a DNS record for the whole domain',
  operator: 'the operator of this service',
};

/** Notices after a change, by the code in the query. */
const NOTICES = {
  added: 'We don’t scan it until you’ve verified it.',
  'added-from-page': 'You gave the address of a page. A site is the whole host, so that is what we added.',
};

/** Verifies that an account owns a domain. */
export const addVerifyPage: Part = (router, { sites, ownership, clock, sendPage }) => {
  const pageOf = async (
    ctx: RouteContext,
    site: OwnSite,
    more: Pick<VerifyPageProps, 'attempts' | 'errors'>,
  ): Promise<Page> =>
    verifyPage({
      ...{ site, ways: await ownership.instructions(site), now: clock.now(), added: noticeOf(ctx, NOTICES) },
      ...more,
    });

  addForm(router, sendPage, {
    path: '/sites/:siteId/verify',
    load: (ctx) => loadOwnSite(ctx, { sites }),
    async submit(ctx, site) {
      const { provedBy, attempts } = await ownership.verify(site);
      if (provedBy !== null) seeOther(ctx, `${addressOf.site(site.id)}?notice=verified`);
      else {
        const page = await pageOf(ctx, site, { attempts, errors: null });
        sendPage(ctx, { ...page, title: `Error: ${page.title}` });
      }
    },
    render: (ctx, site, errors) => pageOf(ctx, site, { attempts: [], errors }),
  });
};

interface VerifyPageProps {
  readonly site: OwnSite;
  readonly ways: OwnershipInstructions;
  readonly attempts: readonly OwnershipAttempt[];
  readonly errors: FieldErrors | null;
  /** Notice about a site that was just added. */
  readonly added: string | undefined;
  readonly now: Date;
}

function verifyPage(props: VerifyPageProps): Page {
  const { site, ways, attempts, errors, added } = props;
  const { id, hostname, verifiedAt } = site;
  return {
    title: `Verify ownership, ${hostname}`,
    mast: (
      <SiteMast
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
      <Two
        isGlanceFirst={verifiedAt === null && site.latestNumber === 0}
        rail={<OwnershipRail site={site} />}
        above={
          <>
            <ErrorSummary errors={errors} />
            {added !== undefined && attempts.length === 0 && <Added site={site} words={added} />}
            {attempts.length > 0 && <NotFound siteId={id} />}
          </>
        }
      >
        <OwnershipWays siteId={id} ways={ways} attempts={attempts} />
      </Two>
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

function Added({ site, words }: { readonly site: Site; readonly words: string }): JSX.Element {
  return (
    <Notice>
      <b>
        Added as <HostName name={site.hostname} isDouble />.
      </b>{' '}
      {words}
    </Notice>
  );
}

function NotFound({ siteId }: { readonly siteId: string }): JSX.Element {
  return (
    <div class="note is-f row apart" role="alert" tabIndex={-1} data-focus>
      <div>
        <h2>No proof found</h2>
        <p>We checked just now. Each way below says what we saw.</p>
      </div>
      <ActionButton action={addressOf.verify(siteId)} icon="again">
        Check ownership now
      </ActionButton>
    </div>
  );
}
