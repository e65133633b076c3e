import type { JSX } from 'preact';
import { ActionButton, ErrorSummary } from '../../../web/kit/components/form.js';
import { HostName } from '../../../web/kit/components/mast.js';
import { Notice, Time } from '../../../web/kit/components/text.js';
import { noticeOf, type RouteContext, seeOther } from '../../../web/kit/context.js';
import { addForm, type FieldErrors } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part } from '../../part.js';
import type { OwnershipAttempt, OwnershipInstructions } from '../ownership.js';
import { RECHECK_AFTER_DAYS } from '../settle-proof.js';
import type { OwnSite } from '../own-site.js';
import type { Site } from '../site.js';
import { addressOf } from './addresses.js';
import { ownSite } from './asked-site.js';
import { OwnershipWays } from './ownership-ways.js';
import { OwnershipRail } from './ownership-rail.js';
import { SiteMast } from './site-mast.js';
import { describeUnread } from '../unread-proof-words.js';
import { VERIFIED_BY_WORDS } from './words.js';
import { Two } from '../../../web/kit/components/two.js';

/** What happened before, by the code in the address. */
const NOTICES = {
  added: 'Nothing is scanned before its domain is yours.',
  'added-from-page': 'You gave the address of a page. A site is the whole host, so that is what was added.',
};

/** The page on which an account's holder proves that a domain is theirs. */
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
    load: (ctx) => ownSite(ctx, { sites }),
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
  /** What is said of a site that was just added. */
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
            Show that <HostName name={hostname} isDouble /> is yours
          </>
        }
        lead={<Standing {...props} />}
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

function Standing({ site, now }: Pick<VerifyPageProps, 'site' | 'now'>): JSX.Element {
  const { verifiedAt, verifiedBy, unreadProof, latestNumber } = site;
  if (verifiedAt === null || verifiedBy === null) {
    const then = latestNumber === 0 ? 'the first run starts at once' : 'runs can start';
    return <>Publish one text, where it suits you. Then {then}.</>;
  }
  return (
    <>
      The domain was verified <Time at={verifiedAt} now={now} />, by {VERIFIED_BY_WORDS[verifiedBy]}.{' '}
      {verifiedBy === 'operator'
        ? 'It stays verified, whatever another check finds.'
        : `Leave the proof in place: it is looked for again every ${RECHECK_AFTER_DAYS} days.`}
      {unreadProof && ` ${describeUnread(unreadProof)}.`}
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

/** What was seen stands with each of the ways. */
function NotFound({ siteId }: { readonly siteId: string }): JSX.Element {
  return (
    <div class="note is-f row apart" role="alert" tabIndex={-1} data-focus>
      <div>
        <h2>None of these was found</h2>
        <p>We looked just now. What we saw is noted below each of the ways.</p>
      </div>
      <ActionButton action={addressOf.verify(siteId)} icon="again">
        Check ownership now
      </ActionButton>
    </div>
  );
}
