import type { JSX } from 'preact';
import { ErrorSummary } from '../../../web/kit/components/form.js';
import { Time } from '../../../web/kit/components/text.js';
import { seeOther } from '../../../web/kit/context.js';
import { addForm, type FieldErrors } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part } from '../../part.js';
import type { OwnershipAttempt, OwnershipInstructions, OwnershipWay } from '../ownership.js';
import { RECHECK_AFTER_DAYS } from '../settle-proof.js';
import type { OwnSite } from '../own-site.js';
import type { Site } from '../site.js';
import { addressOf } from './addresses.js';
import { ownSite } from './asked-site.js';
import { OwnershipWays } from './ownership-ways.js';
import { describeUnread } from '../unread-proof-words.js';
import { VERIFIED_BY_WORDS } from './words.js';

/** The page on which an account's holder proves that a domain is theirs. */
export const addVerifyPage: Part = (router, { sites, ownership, clock, sendPage }) => {
  const pageOf = async (site: OwnSite, more: Pick<VerifyPageProps, 'attempts' | 'errors'>) =>
    verifyPage({ site, ways: await ownership.instructions(site), now: clock.now(), ...more });

  addForm(router, sendPage, {
    path: '/sites/:siteId/verify',
    load: (ctx) => ownSite(ctx, { sites }),
    async submit(ctx, site) {
      const { provedBy, attempts } = await ownership.verify(site);
      if (provedBy !== null) seeOther(ctx, `${addressOf.site(site.id)}?notice=verified`);
      else {
        const page = await pageOf(site, { attempts, errors: null });
        sendPage(ctx, { ...page, title: `Error: ${page.title}` });
      }
    },
    render: (_, site, errors) => pageOf(site, { attempts: [], errors }),
  });
};

interface VerifyPageProps {
  readonly site: Site;
  readonly ways: OwnershipInstructions;
  readonly attempts: readonly OwnershipAttempt[];
  readonly errors: FieldErrors | null;
  readonly now: Date;
}

function verifyPage(props: VerifyPageProps): Page {
  const { site, ways, attempts, errors, now } = props;
  return {
    title: `Verify ownership, ${site.hostname}`,
    main: (
      <>
        <ErrorSummary errors={errors} />
        {attempts.length > 0 && <Attempts attempts={attempts} />}
        <Heading lead={<a href={addressOf.site(site.id)}>{site.hostname}</a>}>Verify ownership</Heading>
        {site.verifiedAt !== null && site.verifiedBy !== null ? (
          <p>
            The domain was verified <Time at={site.verifiedAt} now={now} />, by {VERIFIED_BY_WORDS[site.verifiedBy]}.{' '}
            {site.verifiedBy === 'operator'
              ? 'It stays verified, whatever another check finds.'
              : `Leave the proof in place: it is looked for again every ${RECHECK_AFTER_DAYS} days.`}
            {site.unreadProof && ` ${describeUnread(site.unreadProof)}.`}
          </p>
        ) : (
          <p>Runs can start once you have proved that the domain is yours.</p>
        )}
        <OwnershipWays siteId={site.id} ways={ways} />
      </>
    ),
  };
}

const WAY_WORDS: Readonly<Record<OwnershipWay, string>> = { dns: 'DNS record', file: 'File', meta: 'Meta tag' };

/** What was looked for and what was seen instead: both in our own words. */
function Attempts({ attempts }: { readonly attempts: readonly OwnershipAttempt[] }): JSX.Element {
  return (
    <div class="note is-f" role="alert" tabIndex={-1} data-focus>
      <h2>None of these was found</h2>
      <dl>
        {attempts.map(({ way, expected, seen }) => (
          <div key={way}>
            <dt>{WAY_WORDS[way]}</dt>
            <dd>
              Expected: {expected}.<br />
              Seen: {seen}.
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
