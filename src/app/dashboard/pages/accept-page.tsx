import type { JSX } from 'preact';
import { ServiceError } from '../../../platform/errors.js';
import { InputError } from '../../../platform/input-error.js';
import { failureOf } from '../../../scanner/report/failures.js';
import type { FailureKind } from '../../../scanner/verdict/finding.js';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import { paramOf, type RouteContext, seeOther } from '../../../web/kit/context.js';
import { addForm, type FieldErrors, fieldOf } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part } from '../../part.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownSite, siteAsked } from '../../sites/pages/asked-site.js';
import type { Site } from '../../sites/site.js';
import { parseErrorType, REASON_LENGTH_MAX } from '../../triage/accepted-failures.js';

const PATH = '/sites/:siteId/accepted/:checkId/:errorType';

/** Accepting a failure asks for the reason; taking it back asks for nothing. */
export const addAcceptPage: Part = (router, { sites, acceptedFailures, sendPage }) => {
  addForm(router, sendPage, {
    path: PATH,
    field: 'reason',
    load: async (ctx) => ({ site: await ownSite(ctx, { sites }), failure: failureAsked(ctx) }),
    async submit(ctx, { site, failure }) {
      await acceptedFailures.accept({ ...siteAsked(ctx), ...failure, reason: fieldOf(ctx, 'reason') });
      seeOther(ctx, `${addressOf.site(site.id)}?notice=accepted`);
    },
    render: (ctx, model, errors) => ({
      title: `Accept a failure of ${model.site.hostname}`,
      main: <AcceptForm {...model} reason={fieldOf(ctx, 'reason')} errors={errors} />,
    }),
  });

  router.post(`${PATH}/remove`, async (ctx) => {
    const asked = siteAsked(ctx);
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

interface AcceptFormProps {
  readonly site: Site;
  readonly failure: ReturnType<typeof failureAsked>;
  readonly reason: string;
  readonly errors: FieldErrors | null;
}

function AcceptForm({ site, failure, reason, errors }: AcceptFormProps): JSX.Element {
  return (
    <>
      <ErrorSummary errors={errors} />
      <Heading lead={<a href={addressOf.site(site.id)}>{site.hostname}</a>}>Accept a failure</Heading>
      <p>
        <span class="mono">{failure.checkId}</span>: {failure.headline}.
      </p>
      <ul>
        <li>It is listed apart, and alerts keep quiet about it.</li>
        <li>The score stays as it is, and so does what the API says.</li>
        <li>Once the check fails in another way, or passes, you hear of it as before.</li>
      </ul>
      <form method="post" action={addressOf.accept(site.id, failure)} novalidate>
        <Field
          name="reason"
          label="Why is it accepted?"
          hint={`For you to remember: at most ${REASON_LENGTH_MAX} characters. Only your account sees it.`}
          value={reason}
          errors={errors}
          autocomplete="off"
          maxLength={REASON_LENGTH_MAX}
        />
        <div class="row">
          <button type="submit">Accept</button>
          <a href={addressOf.site(site.id)}>Cancel</a>
        </div>
      </form>
    </>
  );
}
