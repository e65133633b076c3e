import type { JSX } from 'preact';
import { failureOf, headlineOf, standardsOf } from '../../../scanner/report/failures.js';
import { describeGain } from '../../../scanner/report/gain.js';
import type { Finding } from '../../../scanner/verdict/finding.js';
import { SEVERITIES } from '../../../scanner/verdict/failure.js';
import { nameStandard, STANDARDS } from '../../../scanner/verdict/standards.js';
import { ladderFor, partFailures } from '../../../web/kit/components/findings.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { failureHref } from '../../../web/kit/components/result.js';
import { Time } from '../../../web/kit/components/text.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { partsOf } from './report.js';
import { CheckHistory } from './check-history.js';
import type { FindingProps } from './finding-props.js';

/** How the check was before, what it weighs, and what else to do. */
export function FindingRail(props: FindingProps): JSX.Element {
  return (
    <aside class="rail" aria-label="About this finding">
      <CheckHistory {...props} />
      <AtAGlance {...props} />
      <Acceptance {...props} />
      <NextToFix {...props} />
    </aside>
  );
}

function AtAGlance(props: FindingProps): JSX.Element {
  const { report, finding, now } = props;
  const { checkId, errorType, result } = finding;
  const { run } = report.response;
  const failure = failureOf(finding);
  const standards = standardsOf(checkId);
  return (
    <section>
      <h2>At a glance</h2>
      <dl class="dl">
        {failure && (
          <>
            <dt>Severity</dt>
            <dd>{SEVERITIES[failure.severity].word}</dd>
          </>
        )}
        {result === 'FAIL' && (
          <>
            <dt>Worth</dt>
            <dd>{worthOf(props, finding) ?? 'not known'}</dd>
          </>
        )}
        {errorType !== null && (
          <>
            <dt>Error type</dt>
            <dd>
              {failure ? (
                <a href={failureHref(checkId, errorType)}>
                  <code>{errorType}</code>
                </a>
              ) : (
                <code>{errorType}</code>
              )}
            </dd>
          </>
        )}
        {standards.length > 0 && (
          <>
            <dt>Judged by</dt>
            <dd>
              {standards.map((standard) => (
                <div key={standard}>
                  <a href={STANDARDS[standard].url}>{nameStandard(standard)}</a>
                </div>
              ))}
            </dd>
          </>
        )}
        <dt>Run {run.number}</dt>
        <dd>
          <Time at={run.finishedAt ?? run.startedAt} now={now} />
        </dd>
      </dl>
    </section>
  );
}

/** `+7, 85 → 92`, by the arithmetic of the site's page: fixes add up in the order in which they stand there. */
function worthOf(props: FindingProps, { checkId, scored }: Finding): string | null {
  if (!scored) return 'not scored';
  const rung = ladderFor(partsOf(props))?.rungs.get(checkId);
  if (!rung) return describeGain(props.report.gains, { checkId });
  const { from, to, isAtLeast, comesWith } = rung;
  if (comesWith !== null && to <= from) return `comes with ${comesWith}`;
  const points = to > from ? `+${to - from}, ` : '';
  return `${isAtLeast ? 'at least ' : ''}${points}${from} → ${to}`;
}

/** Accepting asks for the reason on a page of its own; taking it back asks for nothing. */
function Acceptance({ site, finding, annotations, now }: FindingProps): JSX.Element | null {
  const { checkId, errorType } = finding;
  const accepted = annotations?.acceptedOf(finding);
  if (accepted) {
    return (
      <section>
        <h2>Accepted</h2>
        <p class="small soft">
          <Time at={accepted.acceptedAt} now={now} />, because: <bdi>{accepted.reason}</bdi>
        </p>
        <ActionButton action={addressOf.removeAccepted(site.id, accepted)} kind="quiet">
          Do not accept
        </ActionButton>
      </section>
    );
  }
  if (!annotations || errorType === null || !failureOf(finding)) return null;
  return (
    <section>
      <h2>Meant to be so?</h2>
      <p class="small soft">Accept it, and alerts keep quiet. The score stays as it is.</p>
      <a class="btn quiet tight" href={addressOf.accept(site.id, { checkId, errorType })}>
        Accept this failure
      </a>
    </section>
  );
}

/** The failure that comes after this one in the order in which to fix them. */
function NextToFix(props: FindingProps): JSX.Element | null {
  const { site, report, finding, annotations } = props;
  if (!annotations) return null;
  const { open } = partFailures(partsOf(props));
  const at = open.findIndex(({ checkId }) => checkId === finding.checkId);
  const [next] = [...open.slice(at + 1), ...open.slice(0, Math.max(at, 0))];
  if (!next) return null;
  const worth = worthOf(props, next);
  return (
    <section>
      <h2>Next to fix</h2>
      <p>
        <a href={addressOf.evidence(site.id, report.response.run.number, next.checkId)}>{headlineOf(next)}</a>{' '}
        {worth !== null && <span class="soft num">{worth}</span>}
      </p>
    </section>
  );
}
