import type { ComponentChildren, JSX } from 'preact';
import { headlineOf } from '../../../scanner/report/failures.js';
import type { Change } from '../../../scanner/report/comparison.js';
import { ServiceError } from '../../../platform/errors.js';
import type { RunChanges } from '../../runs/history.js';
import type { EvidenceOfRun } from '../../evidence/evidence.js';
import { AnswerLink } from '../../evidence/pages/exchanges.js';
import { ErrorSummary } from '../../../web/kit/components/form.js';
import { checkHref, ResultMark } from '../../../web/kit/components/result.js';
import { formatScore } from '../../../web/kit/components/score.js';
import { Table } from '../../../web/kit/components/table.js';
import { Time } from '../../../web/kit/components/text.js';
import { queryOf } from '../../../web/kit/context.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part } from '../../part.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownSite, parseNumber } from '../../sites/pages/asked-site.js';
import { CompareForm, type CompareFormProps } from './compare-form.js';
import { describeChanges } from './report.js';

/** What changed from one run of a site to another. */
export const addComparePage: Part = (router, { sites, history, evidence, clock, sendPage }) => {
  router.get('/sites/:siteId/compare', async (ctx) => {
    const site = await ownSite(ctx, { sites });
    const { id: siteId, hostname, latestNumber } = site;
    const to = parseNumber(queryOf(ctx, 'to'));
    if (to === null || to > latestNumber) throw new ServiceError('run_not_found');
    const typed = queryOf(ctx, 'from').trim();
    const from = parseNumber(typed);
    const form = { siteId, from: typed, to, latestNumber };
    if (from === null || from > latestNumber || from === to) {
      sendPage(ctx, {
        title: `Error: Compare runs, ${hostname}`,
        status: 422,
        main: <Comparing form={form} hostname={hostname} errors={describeWrong(from, form)} />,
      });
      return;
    }
    const changes = await history.compare(site, { from, to });
    const [before, now] = await Promise.all([
      evidence.ofRun(site, changes?.from.number ?? from),
      evidence.ofRun(site, to),
    ]);
    sendPage(ctx, {
      title: `Run ${from} compared with run ${to}, ${hostname}`,
      main: (
        <Comparing form={form} hostname={hostname} errors={null}>
          {changes && changes.from.number !== from && (
            <p>
              Run {from} has no score, so run {changes.from.number}, the last before it that has one, stands for it.
            </p>
          )}
          {changes ? (
            <Differences siteId={siteId} changes={changes} evidence={{ before, now }} now={clock.now()} />
          ) : (
            <p>{NOTHING_TO_COMPARE}</p>
          )}
        </Comparing>
      ),
    });
  });
};

const NOTHING_TO_COMPARE =
  'A run without a score found out nothing about the site, so there is nothing to compare. Choose two runs that have a score.';

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
  /** The evidence behind the findings of both runs. */
  readonly evidence: { readonly before: EvidenceOfRun; readonly now: EvidenceOfRun };
  readonly now: Date;
}

function Differences({ siteId, changes, evidence, now }: DifferencesProps): JSX.Element {
  const { from, to, comparison } = changes;
  const answerOf = (side: 'before' | 'now', checkId: string): JSX.Element | null => {
    const shown = evidence[side].ofRun.get(checkId);
    const { number } = side === 'before' ? from : to;
    return shown ? <AnswerLink shown={shown} href={addressOf.evidence(siteId, number, checkId)} /> : null;
  };
  const { newFailures, fixed, nowJudged, changed, unchanged, notComparable } = comparison;
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
      <Changes title="Newly failing" changes={newFailures} answerOf={answerOf} />
      <Changes title="Fixed" changes={fixed} answerOf={answerOf} />
      <Changes title="Now judged" changes={nowJudged} answerOf={answerOf}>
        These fail, but were never judged before, so nothing says that they have become worse.
      </Changes>
      <Changes title="Otherwise changed" changes={changed} answerOf={answerOf} />
      {notComparable.length > 0 && (
        <section>
          <h2>Not comparable ({notComparable.length})</h2>
          <p>Only one of the two runs has these checks: {notComparable.join(', ')}.</p>
        </section>
      )}
      <p class="soft">Unchanged: {unchanged.length}.</p>
    </>
  );
}

interface ChangesProps {
  readonly title: string;
  readonly changes: readonly Change[];
  /** The answer behind a run's finding; null where none is kept. */
  readonly answerOf: (side: 'before' | 'now', checkId: string) => JSX.Element | null;
  /** What the title does not say. */
  readonly children?: ComponentChildren;
}

function Changes({ title, changes, answerOf, children }: ChangesProps): JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <section>
      <h2>
        {title} ({changes.length})
      </h2>
      {children && <p>{children}</p>}
      <Table caption={<span class="hide">{title}</span>} head={[['Check'], ['What'], ['Before'], ['Now']]}>
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
                <ResultMark result={before} /> {answerOf('before', checkId)}
              </td>
              <td data-label="Now">
                <ResultMark result={now} /> {answerOf('now', checkId)}
              </td>
            </tr>
          );
        })}
      </Table>
    </section>
  );
}
