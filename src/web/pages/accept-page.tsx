import type { JSX } from 'preact';
import { ServiceError } from '../../platform/errors.js';
import { InputError } from '../../platform/input-error.js';
import { failureOf } from '../../scanner/report/failures.js';
import type { FailureKind } from '../../scanner/verdict/finding.js';
import { Field } from '../html/form.js';
import { Group } from '../html/mast.js';
import { paramOf, type RouteContext, seeOther } from '../server/context.js';
import { Items } from '../server/confirm.js';
import { addForm, type FieldErrors, fieldOf } from '../server/form.js';
import type { Link } from '../html/layout.js';
import type { Part } from '../server/page-part.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnSite, requestedSite } from '../server/requested-site.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { SiteMast } from './site-mast.js';
import { parseErrorType, REASON_LENGTH_MAX } from '../../app/triage/accepted-failures.js';
import { RailText, Two } from '../html/two.js';

const PATH = '/sites/:siteId/accepted/:checkId/:errorType';

/** Accepting a failure asks for the reason; taking it back asks for nothing. */
export const addAcceptPage: Part = (router, { sites, acceptedFailures, sendPage }) => {
  addForm(router, sendPage, {
    path: PATH,
    field: 'reason',
    load: async (ctx) => ({ site: await loadOwnSite(ctx, { sites }), failure: failureAsked(ctx) }),
    async submit(ctx, { site, failure }) {
      await acceptedFailures.accept({ ...requestedSite(ctx), ...failure, reason: fieldOf(ctx, 'reason') });
      seeOther(ctx, `${addressOf.site(site.id)}?notice=accepted`);
    },
    render: (ctx, model, errors) => ({
      title: `Accept a failure of ${model.site.hostname}`,
      mast: <AcceptHead {...model} />,
      main: <AcceptMain {...model} reason={fieldOf(ctx, 'reason')} errors={errors} />,
    }),
  });

  router.post(`${PATH}/remove`, async (ctx) => {
    const asked = requestedSite(ctx);
    await acceptedFailures.remove({ ...asked, ...failureAsked(ctx) });
    seeOther(ctx, `${addressOf.site(asked.siteId)}?notice=not-accepted`);
  });
};

/** @throws ServiceError not_found for a failure that no check has */
function failureAsked(ctx: RouteContext): FailureKind & { readonly headline: string } {
  const checkId = paramOf(ctx, 'checkId');
  try {
    const errorType = parseErrorType(paramOf(ctx, 'errorType'));
    const headline = failureOf({ checkId, errorType })?.headline;
    if (headline !== undefined) return { checkId, errorType, headline };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  throw new ServiceError('not_found');
}

interface AcceptProps {
  readonly site: OwnSite;
  readonly failure: ReturnType<typeof failureAsked>;
}

function AcceptHead({ site, failure }: AcceptProps): JSX.Element {
  const { checkId, headline } = failure;
  const finding: Link = [addressOf.evidence(site.id, site.latestNumber, checkId), checkId];
  return (
    <SiteMast
      site={site}
      at={addressOf.site(site.id)}
      below={{ crumbs: site.latestNumber > 0 ? [finding] : [], here: 'Accept' }}
      title="Accept this failure?"
      lead={
        <>
          <b>“{headline}”</b> stays as it is, and alerts keep quiet about it.
        </>
      }
      hasTabs={false}
    />
  );
}

interface AcceptMainProps extends AcceptProps {
  readonly reason: string;
  readonly errors: FieldErrors | null;
}

function AcceptMain({ site, failure, reason, errors }: AcceptMainProps): JSX.Element {
  return (
    <Two
      isRailFirst
      rail={
        <RailText title="Rather fix it?">
          <a href={`${addressOf.evidence(site.id, site.latestNumber, failure.checkId)}#fix`}>See how to fix it</a>, then
          check again.
        </RailText>
      }
    >
      <Group title="Changes">
        <Items
          items={[
            ['bell', 'No alert mentions it any more.'],
            ['arrow', 'It moves out of the list of things to fix, to “Accepted” below it.'],
          ]}
        />
      </Group>
      <Group title="Stays">
        <Items
          items={[
            ['lock', 'The score does not change, nor does what the API says.'],
            ['again', 'Every run still checks it. An alert tells you when it passes, or fails in another way.'],
          ]}
        />
      </Group>
      <Group title="Confirm">
        <form method="post" action={addressOf.accept(site.id, failure)} novalidate>
          <Field
            name="reason"
            label="Why is it accepted?"
            hint={`Only your account sees it. At most ${REASON_LENGTH_MAX} characters.`}
            value={reason}
            errors={errors}
            autocomplete="off"
            maxLength={REASON_LENGTH_MAX}
            isLong
          />
          <div class="row">
            <button type="submit">Accept failure</button>
            <a class="btn bare" href={addressOf.site(site.id)}>
              Cancel
            </a>
          </div>
        </form>
      </Group>
    </Two>
  );
}
