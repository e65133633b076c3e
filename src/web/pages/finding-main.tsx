import type { JSX } from 'preact';
import { DAY_MS, laterThan } from '../../platform/clock.js';
import type { RunReport } from '../../app/runs/history.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { failuresOf, headlineOf, standardsOf } from '../../scanner/report/failures.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { nameStandard, STANDARDS } from '../../scanner/verdict/standards.js';
import { splitDetail } from '../html/detail.js';
import { OutcomeText } from '../html/finding-row.js';
import { REASON_FIELD } from '../html/finding-view.js';
import { Fix } from '../html/fix.js';
import { CountedFold, Fold } from '../html/fold.js';
import { ActionButton } from '../html/form.js';
import { toneOf } from '../html/icons.js';
import { checkHref, failureHref } from '../html/result.js';
import { Callout, Snippet, Words } from '../html/text.js';
import { WithSidebar } from '../html/sidebar.js';
import { addressOf } from '../server/site-paths.js';
import { canAccept, type FindingProps, FindingRail } from './finding-rail.js';
import { Evidence, Quote, quotedOf } from './requests.js';

/** Characters of a detail that the head shows. */
const LEAD_CHARS_MAX = 260;

/** Splits a detail into what the head shows and the rest. */
export function splitLead(finding: Pick<Finding, 'detail'>): readonly [lead: string, rest: string] {
  return splitDetail(finding, LEAD_CHARS_MAX);
}

/** Everything about one finding: the quoted place, the fix, the requests; in the sidebar its history and what else to do. */
export function FindingMain(props: FindingProps): JSX.Element {
  const { own, finding } = props;
  const { checkId, result } = finding;
  const shown = own.evidence.ofRun.get(checkId) ?? null;
  const again = own.evidence.ofRechecks.get(checkId) ?? null;
  const [, rest] = splitLead(finding);
  const isFine = result === 'PASS' || result === 'NOT_APPLICABLE';
  const quoted = shown && quotedOf(shown);
  const until = expiryOf(own.run, props.evidenceDays);
  const evidence = { own, checkId, until };
  return (
    <WithSidebar rail={<FindingRail {...props} />}>
      <OlderRun {...props} />
      <CheckedAgain {...props} />
      {rest !== '' && (
        <p>
          <Words text={rest} />
        </p>
      )}
      {isFine && finding.explanation !== null && (
        <section aria-labelledby="checked">
          <h2 id="checked">What we checked</h2>
          <Explanation text={finding.explanation} checkId={checkId} />
        </section>
      )}
      {(quoted !== null || (!isFine && shown === null && again === null)) && (
        <section aria-labelledby="seen">
          <h2 id="seen">What we saw</h2>
          {quoted && <Quote {...quoted} origin={own.site.origin} isNamed />}
          {shown === null && <p class="soft">{describeNoEvidence(props)}</p>}
        </section>
      )}
      <HowToFix {...props} />
      {shown && <Evidence {...evidence} shown={shown} />}
      {again && <Evidence {...evidence} shown={again} isAgain />}
      <div class="sec">
        {isFine && <WaysToFail checkId={checkId} />}
        {!isFine && finding.explanation !== null && (
          <Fold title="Why it matters" isOpen>
            <div>
              <Explanation text={finding.explanation} checkId={checkId} />
            </div>
          </Fold>
        )}
        <WrongVerdict {...props} hasFile={shown !== null || again !== null} />
      </div>
    </WithSidebar>
  );
}

function OlderRun({ own: { site, run }, finding: { checkId } }: FindingProps): JSX.Element | null {
  const { latestNumber, nextNumber, response } = run;
  if (nextNumber === null) return null;
  return (
    <Callout role="note">
      <b>This is how it was in run {response.run.number}.</b>{' '}
      <a href={addressOf.evidence(site.id, latestNumber, checkId)}>See this check in run {latestNumber}, the latest</a>.
    </Callout>
  );
}

/** The outcome of the repeated check, or why it was refused. The region stays, so that screen readers announce changes. */
function CheckedAgain(props: FindingProps): JSX.Element {
  const { row, errors, now } = props;
  const { view } = props.own;
  const outcome = row?.outcome ?? null;
  const isShownByField = canAccept(props);
  const refusals = Object.entries(errors ?? {}).flatMap(([field, text]) =>
    field === REASON_FIELD && isShownByField ? [] : [text],
  );
  if (refusals.length > 0) {
    return (
      <div role="status">
        <div class="note is-f" tabIndex={-1} data-focus>
          <p>{refusals.join(' ')}</p>
        </div>
      </div>
    );
  }
  const tone = outcome?.result ? `note ${toneOf(outcome.result)}` : 'note';
  return (
    <div role="status">
      <div class={outcome ? tone : undefined}>
        {outcome && (
          <p>
            <OutcomeText outcome={outcome} now={now} />
          </p>
        )}
        {outcome?.result === 'PASS' && view.runHref !== null && (
          <ActionButton action={view.runHref} icon="play">
            Run now
          </ActionButton>
        )}
      </div>
    </div>
  );
}

function Explanation({ text, checkId }: { readonly text: string; readonly checkId: string }): JSX.Element {
  return (
    <>
      <p>
        <Words text={text} />
      </p>
      <p>
        <a href={checkHref(checkId)}>About this check</a>
        {standardsOf(checkId).map((standard) => (
          <span key={standard}>
            , <a href={STANDARDS[standard].url}>{nameStandard(standard)}</a>
          </span>
        ))}
      </p>
    </>
  );
}

function HowToFix({ row, finding: { checkId } }: FindingProps): JSX.Element | null {
  if (!row?.fix) return null;
  return (
    <section class="sec" aria-labelledby="fix">
      <h2 id="fix">How to fix it</h2>
      <Fix text={row.fix} name={checkId} />
      {row.exampleHref !== null && (
        <p>
          <a href={row.exampleHref}>An example, before and after</a>
        </p>
      )}
    </section>
  );
}

/** When the evidence of a run is deleted: ISO 8601, UTC. */
function expiryOf({ response: { run } }: RunReport, days: number): string {
  return laterThan(new Date(run.finishedAt ?? run.startedAt), days * DAY_MS);
}

/** Says why a failure has no evidence. */
function describeNoEvidence({ own: { site, run }, evidenceDays, now }: FindingProps): string {
  if (site.verifiedAt === null) {
    return 'Excerpts are shown to verified owners only, and this domain isn’t verified right now.';
  }
  if (evidenceDays === 0) return 'This service stores no requests.';
  if (expiryOf(run, evidenceDays) <= now.toISOString())
    return `The requests are deleted: they are kept for ${countOf(evidenceDays, 'day')}. The next run stores new ones.`;
  return `No request is stored for this finding.${run.nextNumber === null ? ' Check again to record it.' : ''}`;
}

/** The failures that the check can find, for one that found none. */
function WaysToFail({ checkId }: { readonly checkId: string }): JSX.Element | null {
  const failures = failuresOf(checkId);
  if (failures.length === 0) return null;
  return (
    <CountedFold title="How it can fail" count={failures.length}>
      <ul class="plain">
        {failures.map(([errorType, { headline, severity }]) => (
          <li key={errorType}>
            <a href={failureHref(checkId, errorType)}>{headline}</a>{' '}
            <span class="soft small">{SEVERITIES[severity].word}</span>
          </li>
        ))}
      </ul>
    </CountedFold>
  );
}

interface WrongVerdictProps extends Pick<FindingProps, 'own' | 'finding' | 'contact'> {
  readonly hasFile: boolean;
}

/** How to report a wrong verdict to the operator. */
function WrongVerdict({ own: { site, run }, finding, contact, hasFile }: WrongVerdictProps): JSX.Element {
  const file = `${addressOf.evidence(site.id, run.response.run.number, finding.checkId)}.har`;
  const what = hasFile ? 'both' : 'it';
  return (
    <Fold title="Is this verdict wrong?">
      <ol>
        {hasFile && (
          <li>
            <a href={file}>Download the evidence as a HAR file</a>. It contains what this page shows: for each request
            to your site its address without the query, the status, the header fields and the excerpt.
          </li>
        )}
        <li>
          Complete this text, and say which page or standard shows that the verdict is wrong:
          <Snippet text={draftReport(run, finding, hasFile)} label="text of your report" />
        </li>
        <li>
          {contact === null ? (
            `Send ${what} to the operator of this service, who has published no address.`
          ) : (
            <>
              Send {what} to <a href={contact}>{contact.replace(/^mailto:/, '')}</a>.
            </>
          )}
        </li>
      </ol>
    </Fold>
  );
}

/** Contains no words of the site but its host name. */
function draftReport({ response: { site, run } }: RunReport, finding: Finding, hasFile: boolean): string {
  const { checkId, result, errorType, detail } = finding;
  return [
    `${checkId} is wrong about ${site.hostname} (run ${run.number}, ${run.reference}, ${run.startedAt}).`,
    `It says: ${[result, errorType].filter((part) => part !== null).join(' ')}. ${detail ?? headlineOf(finding)}`,
    'I think that this is wrong, because: …',
    ...(hasFile ? ['The evidence is attached as a HAR file.'] : []),
  ].join('\n\n');
}
