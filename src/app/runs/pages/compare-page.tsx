import type { ComponentChildren, JSX } from 'preact';
import { headlineOf } from '../../../scanner/failures/index.js';
import type { Change } from '../../../scanner/findings/comparison.js';
import { ServiceError } from '../../../platform/errors.js';
import type { RunChanges } from '../history.js';
import { ErrorSummary } from '../../../web/components/form.js';
import { checkHref, ResultMark } from '../../../web/components/result.js';
import { formatScore } from '../../../web/components/score.js';
import { Table } from '../../../web/components/table.js';
import { Time } from '../../../web/components/text.js';
import { queryOf } from '../../../web/context.js';
import type { FieldErrors } from '../../../web/form.js';
import { Heading } from '../../../web/layout.js';
import type { Part } from '../../../web/part.js';
import { addressOf, parseNumber, siteAsked } from '../../sites/pages/addresses.js';
import { CompareForm, type CompareFormProps } from './compare-form.js';
import { describeChanges } from './report.js';

/** What changed from one run of a site to another. */
export const addComparePage: Part = (router, { history, clock, sendPage }) => {
  router.get('/sites/:siteId/compare', async (ctx) => {
    const asked = siteAsked(ctx);
    const { hostname } = await history.site(asked);
    const latestNumber = (await history.page({ ...asked, limit: 1 })).runs[0]?.number ?? 0;
    const to = parseNumber(queryOf(ctx, 'to'));
    if (to === null || to > latestNumber) throw new ServiceError('run_not_found');
    const typed = queryOf(ctx, 'from').trim();
    const from = parseNumber(typed);
    const form = { siteId: asked.siteId, from: typed, to, latestNumber };
    if (from === null || from > latestNumber || from === to) {
      sendPage(ctx, {
        title: `Error: Compare runs, ${hostname}`,
        status: 422,
        main: <Comparing form={form} hostname={hostname} errors={describeWrong(from, form)} />,
      });
      return;
    }
    const changes = await history.compare({ ...asked, from, to });
    sendPage(ctx, {
      title: `Run ${from} compared with run ${to}, ${hostname}`,
      main: (
        <Comparing form={form} hostname={hostname} errors={null}>
          <Differences siteId={asked.siteId} changes={changes} now={clock.now()} />
        </Comparing>
      ),
    });
  });
};

function describeWrong(from: number | null, { to, latestNumber }: CompareFormProps): FieldErrors {
  if (latestNumber === 1) return { '': 'The site has only one run, so there is nothing to compare it with yet.' };
  if (from === to)
    return { from: `Run ${to} cannot be compared with itself. Give another run: from 1 to ${latestNumber}.` };
  return { from: `Give the number of a run of this site: from 1 to ${latestNumber}.` };
}

interface ComparingProps {
  readonly form: CompareFormProps;
  readonly hostname: string;
  readonly errors: FieldErrors | null;
  readonly children?: ComponentChildren;
}

function Comparing({ form, hostname, errors, children }: ComparingProps): JSX.Element {
  return (
    <>
      <ErrorSummary errors={errors} />
      <Heading lead={<a href={addressOf.site(form.siteId)}>{hostname}</a>}>
        {errors ? 'Compare runs' : `From run ${form.from} to run ${form.to}`}
      </Heading>
      {children}
      <CompareForm {...form} errors={errors} />
    </>
  );
}

interface DifferencesProps {
  readonly siteId: string;
  readonly changes: RunChanges;
  readonly now: Date;
}

function Differences({ siteId, changes: { from, to, comparison }, now }: DifferencesProps): JSX.Element {
  const { newFailures, fixed, changed, unchanged, notComparable } = comparison;
  return (
    <>
      <p class="verdict">What changed: {describeChanges(comparison)}</p>
      <dl>
        {[from, to].map(({ number, score, startedAt, finishedAt }) => (
          <div key={number}>
            <dt>
              <a href={addressOf.run(siteId, number)}>Run {number}</a>
            </dt>
            <dd>
              {formatScore(score)}, <Time at={finishedAt ?? startedAt} now={now} />
            </dd>
          </div>
        ))}
      </dl>
      <Changes title="Newly failing" changes={newFailures} />
      <Changes title="Fixed" changes={fixed} />
      <Changes title="Otherwise changed" changes={changed} />
      {notComparable.length > 0 && (
        <section>
          <h2>Not comparable ({notComparable.length})</h2>
          <p>Only one of the two runs has these checks: {notComparable.join(', ')}.</p>
        </section>
      )}
      <p class="muted">Unchanged: {unchanged.length}.</p>
    </>
  );
}

function Changes({ title, changes }: { readonly title: string; readonly changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <section>
      <h2>
        {title} ({changes.length})
      </h2>
      <Table caption={<span class="hidden">{title}</span>} head={[['Check'], ['What'], ['Before'], ['Now']]}>
        {changes.map((change) => {
          const { checkId, before, now } = change;
          return (
            <tr key={checkId}>
              <th scope="row">
                <a class="mono" href={checkHref(checkId)}>
                  {checkId}
                </a>
              </th>
              <td data-label="What">{headlineOf(change)}</td>
              <td data-label="Before">
                <ResultMark result={before} />
              </td>
              <td data-label="Now">
                <ResultMark result={now} />
              </td>
            </tr>
          );
        })}
      </Table>
    </section>
  );
}
