import type { JSX } from 'preact';
import { failureOf, headlineOf, standardsOf } from '../../scanner/report/failures.js';
import { describeGain } from '../../scanner/report/gain.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { nameStandard, STANDARDS } from '../../scanner/verdict/standards.js';
import { ladderFor, partFailures } from '../html/findings.js';
import { ActionButton } from '../html/form.js';
import { failureHref } from '../html/result.js';
import { Time } from '../html/text.js';
import { addressOf } from '../server/site-paths.js';
import { partsOf } from './report.js';
import { CheckHistory } from './check-history.js';
import type { FindingProps } from './finding-props.js';
import { Facts, RailPart } from '../html/two.js';

/** How the check was before, what it weighs, and what else to do. */
export function FindingRail(props: FindingProps): JSX.Element {
  return (
    <>
      <CheckHistory {...props} />
      <AtAGlance {...props} />
      <Acceptance {...props} />
      <NextToFix {...props} />
    </>
  );
}

function AtAGlance({ report, finding, now }: FindingProps): JSX.Element {
  const { checkId, errorType } = finding;
  const { run } = report.response;
  const failure = failureOf(finding);
  const standards = standardsOf(checkId);
  return (
    <RailPart title="At a glance">
      <Facts
        facts={[
          errorType !== null && [
            'Error type',
            failure ? (
              <a href={failureHref(checkId, errorType)}>
                <code>{errorType}</code>
              </a>
            ) : (
              <code>{errorType}</code>
            ),
          ],
          standards.length > 0 && [
            'Judged by',
            standards.map((standard) => (
              <div key={standard}>
                <a href={STANDARDS[standard].url}>{nameStandard(standard)}</a>
              </div>
            )),
          ],
          [`Run ${run.number}`, <Time at={run.finishedAt ?? run.startedAt} now={now} />],
        ]}
      />
    </RailPart>
  );
}

/** `adds 7: 85 → 92`, by the arithmetic of the site's page: fixes add up in the order in which they stand there. */
export function worthOf(props: FindingProps, { checkId, scored }: Finding): string | null {
  if (!scored) return 'not scored';
  const rung = ladderFor(partsOf(props))?.rungs.get(checkId);
  if (!rung) {
    const gain = describeGain(props.report.gains, { checkId });
    return gain === null ? null : `adds ${gain.replace('+', '')}`;
  }
  const { from, to, isAtLeast } = rung;
  if (to <= from) return `leads to ${isAtLeast ? 'at least ' : ''}${to}`;
  return `adds ${isAtLeast ? 'at least ' : ''}${to - from}: ${from} → ${to}`;
}

/** Accepting asks for the reason on a separate page; taking it back asks for nothing. */
function Acceptance({ site, finding, annotations, now }: FindingProps): JSX.Element | null {
  const { checkId, errorType } = finding;
  const accepted = annotations?.acceptedOf(finding);
  if (accepted) {
    return (
      <RailPart title="Accepted">
        <p class="small soft">
          <Time at={accepted.acceptedAt} now={now} />, because: <bdi>{accepted.reason}</bdi>
        </p>
        <ActionButton action={addressOf.removeAccepted(site.id, accepted)} kind="quiet">
          Do not accept
        </ActionButton>
      </RailPart>
    );
  }
  if (!annotations || errorType === null || !failureOf(finding)) return null;
  return (
    <RailPart title="Meant to be so?">
      <p class="small soft">Accept it, and alerts keep quiet. The score stays as it is.</p>
      <a class="btn quiet tight" href={addressOf.accept(site.id, { checkId, errorType })}>
        Accept this failure
      </a>
    </RailPart>
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
    <RailPart title="Next to fix">
      <p>
        <a href={addressOf.evidence(site.id, report.response.run.number, next.checkId)}>{headlineOf(next)}</a>{' '}
        {worth !== null && <span class="soft num">{worth}</span>}
      </p>
    </RailPart>
  );
}
