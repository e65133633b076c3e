import type { RunReport } from '../../app/runs/history.js';
import { REASON_LENGTH_MAX } from '../../app/triage/accepted-failures.js';
import { DAY_MS, isoTimeAfter } from '../../platform/clock.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { checkOf, headlineOf } from '../../scanner/report/failures.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { nameStandard, STANDARDS } from '../../scanner/verdict/standards.js';
import { CheckLinks, Fix, OutcomeText } from '../html/finding-row.js';
import { type FindingRow, REASON_FIELD } from '../html/finding-view.js';
import { ActionButton, Fold, SidebarPart, WithSidebar } from '../html/sections.js';
import { Form } from '../html/form.js';
import { Callout, Snippet, Time, toneOf, Words } from '../html/text.js';
import { PIN_WORDS, PinStrip, type StripPin } from '../html/pins.js';
import { addressOf, checkHref } from '../server/paths.js';
import type { FieldErrors } from '../server/page.js';
import { Evidence, Quote, findQuotation } from './requests.js';
import type { OwnReport } from './run-report.js';

export interface FindingProps {
  readonly own: OwnReport;
  readonly finding: Finding;
  /** Row of the finding in the report; null if it passed or does not apply. */
  readonly row: FindingRow | null;
  readonly evidenceDays: number;
  readonly contact: string | null;
  /** The reason for accepting the failure, as typed. */
  readonly reason: string;
  readonly errors: FieldErrors | null;
}

/** Everything about one finding: the quoted place, the fix, the requests; in the sidebar its history and whether it is accepted. */
export function FindingMain(props: FindingProps) {
  const { own, finding, row, evidenceDays } = props;
  const { checkId } = finding;
  const recheckEvidence = own.evidence.fromRechecks.get(checkId);
  const shown = recheckEvidence ?? own.evidence.fromRun.get(checkId) ?? null;
  const quoted = shown && findQuotation(shown);
  return (
    <WithSidebar
      sidebar={
        <>
          <CheckHistory {...props} />
          <Acceptance {...props} />
        </>
      }
    >
      <OlderRun {...props} />
      <RecheckOutcome {...props} />
      {(quoted !== null || (row && !shown)) && (
        <section aria-labelledby="seen">
          <h2 id="seen">What we saw{recheckEvidence && ' when it was checked again'}</h2>
          {quoted && <Quote {...quoted} origin={own.site.origin} />}
          {!shown && <p class="soft">{describeNoEvidence(props)}</p>}
        </section>
      )}
      {row?.fix && (
        <section class="sec" aria-labelledby="fix">
          <h2 id="fix">How to fix it</h2>
          <Fix text={row.fix} name={checkId} platformHref={row.platformHref} />
          <CheckLinks finding={finding} />
        </section>
      )}
      <div class={row ? 'sec' : undefined}>
        <Fold title={row ? 'Why it matters' : 'What we checked'} isOpen>
          <div>
            {finding.explanation !== null && (
              <p>
                <Words text={finding.explanation} />
              </p>
            )}
            <p>
              <a href={checkHref(checkId)}>About this check</a>
              {checkOf(checkId)?.judgedBy.map((standard) => (
                <span key={standard}>
                  , <a href={STANDARDS[standard].url}>{nameStandard(standard)}</a>
                </span>
              ))}
            </p>
          </div>
        </Fold>
        <WrongVerdict {...props} hasEvidence={shown !== null} />
      </div>
      {shown && <Evidence {...{ own, shown, quoted }} deletedAt={expiryOf(own.run, evidenceDays)} />}
    </WithSidebar>
  );
}

function OlderRun({ own: { site, run }, finding: { checkId } }: FindingProps) {
  if (run.isLatest) return null;
  const { id, latestNumber } = site;
  return (
    <Callout role="note">
      <b>This is how it was in run {run.response.run.number}.</b>{' '}
      <a href={addressOf.evidence(id, latestNumber, checkId)}>See this check in run {latestNumber}, the latest</a>.
    </Callout>
  );
}

/** The outcome of a recheck. The element is there without one, so that screen readers announce changes. */
function RecheckOutcome({ own: { view }, row, errors }: FindingProps) {
  const outcome = row?.outcome ?? null;
  return (
    <div role="status">
      {outcome && errors === null && (
        <div class={outcome.result ? `note ${toneOf(outcome.result)}` : 'note'}>
          <p>
            <OutcomeText outcome={outcome} />
          </p>
          {outcome.result === 'PASS' && view.runHref !== null && (
            <ActionButton action={view.runHref} icon="play" label="Run now" />
          )}
        </div>
      )}
    </div>
  );
}

/** When the evidence of a run is deleted: ISO 8601, UTC. */
function expiryOf({ response: { run } }: RunReport, days: number): string {
  return isoTimeAfter(new Date(run.finishedAt ?? run.startedAt), days * DAY_MS);
}

function describeNoEvidence({ own: { site }, evidenceDays }: FindingProps): string {
  if (site.verifiedAt === null)
    return 'Excerpts are shown to verified owners only, and this domain isn’t verified right now.';
  if (evidenceDays === 0) return 'This service stores no requests.';
  return `No request is stored for this finding. Requests are kept for ${countOf(evidenceDays, 'day')}.`;
}

/** Most pins, so that none is too thin to hit, and the room for them if there are fewer. */
const HISTORY = { max: 24, room: 12 };

/** The results of the check in this run and those before it, the oldest first. */
function CheckHistory({ own: { site, run }, finding: { checkId } }: FindingProps) {
  const runs = run.runsUpToThis.slice(0, HISTORY.max).reverse();
  const pins = runs.map(({ number, findings }): StripPin => {
    const { result: state = 'WAITING', scored = true } = findings.find((one) => one.checkId === checkId) ?? {};
    return { href: addressOf.run(site.id, number), title: `Run ${number}: ${PIN_WORDS[state]}`, state, scored };
  });
  const since = run.since.get(checkId);
  return (
    <SidebarPart title={`This check in ${runs[0]?.number === 1 ? '' : 'the last '}${countOf(runs.length, 'run')}`}>
      <PinStrip pins={pins} room={HISTORY.room} />
      {since !== undefined && since !== run.response.run.number && (
        <p class="small soft">
          The same result since <a href={addressOf.run(site.id, since)}>run {since}</a>.
        </p>
      )}
    </SidebarPart>
  );
}

/** The form that accepts the failure, or the button that undoes it. */
function Acceptance({ row, reason, errors }: FindingProps) {
  if (!row) return null;
  const { accepted, actions } = row;
  if (accepted && actions.undoAccept !== null) {
    return (
      <SidebarPart title="Accepted">
        <p class="small soft">
          <Time at={accepted.acceptedAt} />, because: <bdi>{accepted.reason}</bdi>
        </p>
        <ActionButton action={actions.undoAccept} kind="quiet" label="Undo accept" />
      </SidebarPart>
    );
  }
  if (actions.accept === null) return null;
  return (
    <SidebarPart title="Intentional?">
      <p class="small soft">
        Accept this failure: no alert mentions it, and it moves to “Accepted”. The score does not change, and each run
        still checks it.
      </p>
      <Form
        action={`${actions.details}/accept`}
        button="Accept failure"
        isQuiet
        errors={errors}
        fields={[
          {
            name: REASON_FIELD,
            label: 'Reason',
            hint: `Only your account sees it. At most ${REASON_LENGTH_MAX} characters.`,
            value: reason,
            autocomplete: 'off',
            maxLength: REASON_LENGTH_MAX,
            isLong: true,
          },
        ]}
      />
    </SidebarPart>
  );
}

function WrongVerdict({ own, finding, contact, hasEvidence }: FindingProps & { readonly hasEvidence: boolean }) {
  const { site, run } = own;
  const file = addressOf.evidenceFile(site.id, run.response.run.number);
  return (
    <Fold title="Is this verdict wrong?">
      <div>
        <p>Complete this text, and say which page or standard shows that the verdict is wrong:</p>
        <Snippet text={draftReport(run, finding)} label="text of your report" />
        <p>
          Send it to{' '}
          {contact === null ? (
            'the operator of this service, who has published no address'
          ) : (
            <a href={contact}>{contact.replace(/^mailto:/, '')}</a>
          )}
          {hasEvidence && (
            <>
              , with the <a href={file}>run’s evidence as a HAR file</a>
            </>
          )}
          .
        </p>
      </div>
    </Fold>
  );
}

/** Drafts a report that quotes nothing from the site but its host name. */
function draftReport({ response: { site, run } }: RunReport, finding: Finding): string {
  const { checkId, result, errorType, detail } = finding;
  return [
    `${checkId} is wrong about ${site.hostname} (run ${run.number}, ${run.reference}, ${run.startedAt}).`,
    `It says: ${[result, errorType].filter((part) => part !== null).join(' ')}. ${detail ?? headlineOf(finding)}`,
    'I think that this is wrong, because: …',
  ].join('\n\n');
}
