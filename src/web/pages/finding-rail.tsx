import type { JSX } from 'preact';
import { REASON_LENGTH_MAX } from '../../app/triage/accepted-failures.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { failureOf } from '../../scanner/report/failures.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { type FindingRow, REASON_FIELD, type Worth } from '../html/finding-view.js';
import { ActionButton, Field } from '../html/form.js';
import { PinStrip, type RowPin } from '../html/pin-row.js';
import { PIN_WORDS } from '../html/pins.js';
import { Time } from '../html/text.js';
import { SidebarPart } from '../html/sidebar.js';
import type { FieldErrors } from '../server/form.js';
import { addressOf } from '../server/site-paths.js';
import type { OwnReport } from './own-report.js';

export interface FindingProps {
  readonly own: OwnReport;
  readonly finding: Finding;
  /** As lists show it; null for what passed or does not apply. */
  readonly row: FindingRow | null;
  /** True for the latest run of a verified site. */
  readonly isOpen: boolean;
  readonly evidenceDays: number;
  readonly contact: string | null;
  /** What was typed as the reason to accept the failure. */
  readonly reason: string;
  readonly errors: FieldErrors | null;
  readonly now: Date;
}

/** How the check was before, and what else to do. */
export function FindingRail(props: FindingProps): JSX.Element {
  const { own, finding } = props;
  return (
    <>
      <CheckHistory own={own} finding={finding} />
      <Acceptance {...props} />
      <NextToFix {...props} />
    </>
  );
}

/** True if the page has the form that accepts the failure. */
export function canAccept({ finding, row, isOpen }: FindingProps): boolean {
  return isOpen && failureOf(finding) !== null && !row?.accepted;
}

/** Accepts the failure, or takes that back. */
function Acceptance(props: FindingProps): JSX.Element | null {
  const { finding, row, isOpen, reason, errors, now } = props;
  const { site } = props.own;
  const { checkId, errorType } = finding;
  if (!isOpen || errorType === null) return null;
  const failure = { checkId, errorType };
  const accepted = row?.accepted;
  if (accepted) {
    return (
      <SidebarPart title="Accepted">
        <p class="small soft">
          <Time at={accepted.acceptedAt} now={now} />, because: <bdi>{accepted.reason}</bdi>
        </p>
        <ActionButton action={addressOf.removeAccepted(site.id, failure)} kind="quiet">
          Undo accept
        </ActionButton>
      </SidebarPart>
    );
  }
  if (!canAccept(props)) return null;
  return (
    <SidebarPart title="Intentional?">
      <p class="small soft">
        Accept this failure: no alert mentions it, and it moves to “Accepted”. The score does not change, and each run
        still checks it.
      </p>
      <form method="post" action={addressOf.accept(site.id, failure)} novalidate>
        <Field
          name={REASON_FIELD}
          label="Why is it accepted?"
          hint={`Only your account sees it. At most ${REASON_LENGTH_MAX} characters.`}
          value={reason}
          errors={errors}
          autocomplete="off"
          maxLength={REASON_LENGTH_MAX}
          isLong
        />
        <button type="submit" class="quiet">
          Accept failure
        </button>
      </form>
    </SidebarPart>
  );
}

/** The open failure after this one, in the order in which to fix them. */
function NextToFix({ own: { site, run, view }, finding, isOpen }: FindingProps): JSX.Element | null {
  const rows = view.toFix?.groups.flatMap((group) => group.rows) ?? [];
  const at = rows.findIndex(({ checkId }) => checkId === finding.checkId);
  const [next] = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))];
  if (!isOpen || !next) return null;
  return (
    <SidebarPart title="Next to fix">
      <p>
        <a href={addressOf.evidence(site.id, run.response.run.number, next.checkId)}>{next.headline}</a>{' '}
        {next.worth && <span class="soft num">{describeWorth(next.worth)}</span>}
      </p>
    </SidebarPart>
  );
}

/** More pins would be too thin to hit; fewer do not fill the width. */
const HISTORY_MAX = 24;
const HISTORY_ROOM = 12;

/** The results of the check in this run and those before it, the oldest first. */
function CheckHistory({ own: { site, run }, finding }: Pick<FindingProps, 'own' | 'finding'>): JSX.Element {
  const { checkId } = finding;
  const runs = run.runsUpToThis.slice(0, HISTORY_MAX).reverse();
  const pins = runs.map(({ number, findings }): RowPin => {
    const { result: state = 'WAITING', scored = true } = findings.find((one) => one.checkId === checkId) ?? {};
    const title = `Run ${number}: ${PIN_WORDS[state]}`;
    return { key: String(number), href: addressOf.run(site.id, number), title, state, scored };
  });
  const since = run.since.get(checkId);
  const isWhole = runs[0]?.number === 1;
  return (
    <SidebarPart title={`This check in ${isWhole ? '' : 'the last '}${countOf(runs.length, 'run')}`}>
      <PinStrip pins={pins} room={HISTORY_ROOM} size="pins-l" />
      {since !== undefined && since !== run.response.run.number && (
        <p class="small soft">
          The same result since <a href={addressOf.run(site.id, since)}>run {since}</a>.
        </p>
      )}
    </SidebarPart>
  );
}

/** `adds 7: 85 → 92` */
export function describeWorth({ scored, points, isAtLeast, score }: Worth): string {
  if (!scored) return 'not scored';
  const least = isAtLeast ? 'at least ' : '';
  if (score && points <= 0) return `leads to ${least}${score[1]}`;
  return `adds ${least}${points}${score ? `: ${score[0]} → ${score[1]}` : ''}`;
}
