import type { ComponentChildren, JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { failureOf } from '../../scanner/report/failures.js';
import type { ShownEvidence } from '../../scanner/trace/kept-evidence.js';
import { fixFor } from '../../scanner/verdict/fix-parts.js';
import { Fix } from '../html/fix.js';
import { Icon } from '../html/icons.js';
import { Callout, Words } from '../html/text.js';
import { failureHref } from '../html/result.js';
import { Requests } from './exchanges.js';
import { Quote, quotedOf } from './quote.js';
import { addressOf } from '../server/site-paths.js';
import { CheckedAgain } from './checked-again.js';
import { describeNoEvidence, keptUntil } from './evidence-kept.js';
import { partInHead } from './finding-head.js';
import type { FindingProps } from './finding-props.js';
import { FindingRail } from './finding-rail.js';
import { Explanation, Passed, WaysToFail } from './passed.js';
import { WrongVerdict } from './wrong-verdict.js';
import { Fold } from '../html/fold.js';
import { Two } from '../html/two.js';

/** All that is known of one finding: what was seen, the fix, the requests; at the side, how it was before and what to do. */
export function FindingMain(props: FindingProps): JSX.Element {
  const { shown, again } = props;
  const [, rest] = partInHead(props.finding);
  const hasQuote = shown !== null && quotedOf(shown) !== null;
  return (
    <Two rail={<FindingRail {...props} />}>
      <OlderRun {...props} />
      <CheckedAgain {...props} />
      {rest !== '' && (
        <p>
          <Words text={rest} />
        </p>
      )}
      {isFine(props) && <Passed {...props} />}
      {(hasQuote || (shown === null && again === null && !isFine(props))) && (
        <section aria-labelledby="seen">
          <h2 id="seen">What we saw</h2>
          {shown === null ? <p class="soft">{describeNoEvidence(props)}</p> : <Seen {...props} shown={shown} isNamed />}
        </section>
      )}
      <HowToFix {...props} />
      {shown && <RequestsOf {...props} shown={shown} id="requests" title="Requests" isQuoted={hasQuote} />}
      {again && (
        <RequestsOf {...props} shown={again} id="of-again" title="When it was checked again" isQuoted>
          <Seen {...props} shown={again} />
        </RequestsOf>
      )}
      <div class="sec">
        {isFine(props) ? <WaysToFail {...props} /> : <Why {...props} />}
        <WrongVerdict {...props} />
      </div>
    </Two>
  );
}

/** Whether there is nothing to fix or to find out, and so no request that is kept. */
function isFine({ finding: { result } }: FindingProps): boolean {
  return result === 'PASS' || result === 'NOT_APPLICABLE';
}

/** A run that is not the latest may be long out of date. */
function OlderRun({ site, report, finding: { checkId } }: FindingProps): JSX.Element | null {
  const { latestNumber, nextNumber, response } = report;
  if (nextNumber === null) return null;
  return (
    <Callout role="note">
      <b>This is how it was in run {response.run.number}.</b>{' '}
      <a href={addressOf.evidence(site.id, latestNumber, checkId)}>See this check in run {latestNumber}, the latest</a>.
    </Callout>
  );
}

interface ShownProps extends FindingProps {
  readonly shown: ShownEvidence;
}

function Seen({ site, shown, isNamed = false }: ShownProps & { readonly isNamed?: boolean }): JSX.Element | null {
  const quoted = quotedOf(shown);
  return quoted && <Quote {...quoted} origin={site.origin} isNamed={isNamed} />;
}

function HowToFix(props: FindingProps): JSX.Element | null {
  const { report, finding } = props;
  const { fix, checkId, errorType, detail } = finding;
  if (fix === null || finding.result !== 'FAIL') return null;
  return (
    <section class="sec" aria-labelledby="fix">
      <h2 id="fix">How to fix it</h2>
      <Fix text={fixFor(report.origin, fix, detail)} name={checkId} />
      {errorType !== null && failureOf(finding) && (
        <p>
          <a href={failureHref(checkId, errorType)}>An example, before and after</a>
        </p>
      )}
    </section>
  );
}

interface RequestsOfProps extends ShownProps {
  readonly id: string;
  readonly title: string;
  /** Whether the named place stands above them. */
  readonly isQuoted: boolean;
  readonly children?: ComponentChildren;
}

function RequestsOf({ site, report, finding, shown, children, ...props }: RequestsOfProps): JSX.Element {
  const { id, title, isQuoted, evidenceDays } = props;
  const { number, startedAt, finishedAt } = report.response.run;
  const total = shown.exchanges.length + shown.omittedCount;
  return (
    <section class="sec" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {title}{' '}
        <span class="soft num">{total > shown.exchanges.length ? `${shown.exchanges.length} of ${total}` : total}</span>
      </h2>
      {children}
      <p class="soft">
        Only you, the verified owner, see these. They hold no cookies or credentials. Kept until{' '}
        {keptUntil(finishedAt ?? startedAt, evidenceDays)}.
        {shown.omittedCount > 0 &&
          ` ${countOf(shown.omittedCount, 'further request')} went into it, and are not listed.`}
      </p>
      <Requests shown={shown} origin={site.origin} isQuoted={isQuoted} />
      <p class="row more">
        <a class="btn quiet tight" href={`${addressOf.evidence(site.id, number, finding.checkId)}.har`}>
          <Icon name="down" />
          Download all (HAR)
        </a>
      </p>
    </section>
  );
}

function Why({ finding: { explanation, checkId } }: FindingProps): JSX.Element | null {
  if (explanation === null) return null;
  return (
    <Fold title="Why it matters" isOpen>
      <div>
        <Explanation text={explanation} checkId={checkId} />
      </div>
    </Fold>
  );
}
