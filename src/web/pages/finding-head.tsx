import type { JSX } from 'preact';
import { checkOf, failureOf, headlineOf } from '../../scanner/report/failures.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import { partDetail } from '../html/detail.js';
import { CopyLink } from '../html/fold.js';
import { Icon, Mark, toneOf, wordOf } from '../html/icons.js';
import { Words } from '../html/text.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { addressOf } from '../server/site-paths.js';
import { SiteMast } from './site-mast.js';
import type { FindingProps } from './finding-props.js';
import { worthOf } from './finding-rail.js';

/** What came out, since when, and what can be done about it. */
export function FindingHead(props: FindingProps): JSX.Element {
  const { site, report, finding } = props;
  const { run } = report.response;
  const here = { crumbs: [[addressOf.run(site.id, run.number), `Run ${run.number}`]] as const, here: finding.checkId };
  return (
    <SiteMast
      site={site}
      at={report.nextNumber === null ? addressOf.site(site.id) : addressOf.runs(site.id)}
      below={here}
      tags={<Tags {...props} />}
      title={headlineOf(finding)}
      lead={<Words text={partInHead(finding)[0] || meaningOf(finding)} />}
      actions={finding.result === 'FAIL' || canCheckAgain(props) ? <Actions {...props} /> : undefined}
    />
  );
}

/** So much of a detail stands in the head. */
const LEAD_CHARS_MAX = 260;

/** What a finding says: as much as the head has room for, and the rest. */
export function partInHead(finding: Finding): readonly [lead: string, rest: string] {
  return partDetail(finding, LEAD_CHARS_MAX);
}

/** What its result means, where it says nothing itself. */
function meaningOf(finding: Finding): string {
  const { checkId, result } = finding;
  if (result === 'PASS') return checkOf(checkId)?.answer ?? 'The check passed.';
  if (result === 'NOT_APPLICABLE') return 'There is nothing on this site that the check could judge.';
  if (result === 'UNDETERMINED') return 'No answer could be had this time.';
  const severity = failureOf(finding)?.severity;
  return severity === undefined ? 'The check failed.' : SEVERITIES[severity].meaning;
}

function Tags(props: FindingProps): JSX.Element {
  const { report, finding, annotations } = props;
  const { result, checkId, scored } = finding;
  const { number } = report.response.run;
  const since = report.since.get(checkId);
  const severity = failureOf(finding)?.severity;
  const worth = result === 'FAIL' && scored ? worthOf(props, finding) : null;
  const isPast = report.nextNumber !== null || annotations?.isFixed(finding);
  return (
    <>
      <Mark {...{ result, scored }} isSaid />
      <span class={`${scored ? toneOf(result) : 'is-n'} w6`}>
        {wordOf(result)}
        {isPast && ` in run ${number}`}
      </span>
      {result === 'FAIL' && since !== undefined && (
        <span class="chip">{since === number ? `New in run ${number}` : `Since run ${since}`}</span>
      )}
      {annotations?.isFixed(finding) && <span class="chip is-p">Passes now</span>}
      {annotations?.acceptedOf(finding) && <span class="chip">Accepted</span>}
      {severity !== undefined && <span class="chip">{SEVERITIES[severity].word}</span>}
      {worth !== null && !isPast && <span class="soft small num">Its fix {worth}</span>}
      {!scored && <span class="soft">Not scored</span>}
    </>
  );
}

/** Of the latest run alone, and of what did not pass. */
function canCheckAgain({ annotations, finding: { result } }: FindingProps): boolean {
  return annotations !== null && (result === 'FAIL' || result === 'UNDETERMINED');
}

/** One of them is solid: the likely next act. */
function Actions(props: FindingProps): JSX.Element {
  const { site, report, finding, annotations } = props;
  const { number } = report.response.run;
  const isFixed = annotations?.isFixed(finding) ?? false;
  return (
    <>
      {finding.result === 'FAIL' && (
        <CopyLink href={`${addressOf.runForAgents(site.id, number)}?check=${finding.checkId}`} label="For your agent" />
      )}
      {canCheckAgain(props) && (
        <form method="post" action={addressOf.evidence(site.id, number, finding.checkId)} data-in-place>
          <button type="submit" class={isFixed ? 'quiet' : undefined}>
            <Icon name="again" />
            Check again
          </button>
        </form>
      )}
    </>
  );
}
