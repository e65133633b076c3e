import { compareFindings, type Comparison, changedFailures } from '../../scanner/report/comparison.js';
import { headlineOf } from '../../scanner/report/failures.js';
import type { Answer, Assistant } from '../../scanner/artifacts/answer.js';
import { describeBlock } from '../../scanner/report/answer.js';
import type { FailureKind, Finding } from '../../scanner/verdict/finding.js';
import type { ErrorType } from '../../scanner/verdict/vocabulary.js';
import type { RunResponse } from '../runs/run.js';
import type { RunSummary } from '../runs/run-rows.js';
import type { LossNotice, MissingProofNotice } from '../sites/missing-proof.js';

type Site = RunResponse['site'];

/** The fields of a run that alerts include. */
type ReportedRun = Pick<RunResponse['run'], 'number' | 'reference' | 'score' | 'trigger' | 'finishedAt'>;

/** Why a webhook was turned off. `gone`: its receiver no longer accepts messages. `failing`: two messages in a row were not accepted. */
export type TurnOffCause = 'gone' | 'failing';

/** The data of each alert type. Times are ISO 8601, UTC. */
interface AlertData {
  readonly 'site.changed': {
    readonly site: Site;
    /** `url`: the run's page. */
    readonly run: ReportedRun & { readonly url: string };
  } & RunDifference;
  /** Both alerts about ownership are sent by email, or to webhooks if the account gets no email. */
  readonly 'site.proof_unread': { readonly site: Site } & MissingProofNotice;
  readonly 'site.ownership_lost': { readonly site: Site } & LossNotice;
  /** Sent only by email. `name`: the part of the webhook's URL that is not secret. */
  readonly 'webhook.disabled': {
    readonly webhook: { readonly id: string; readonly name: string };
    readonly cause: TurnOffCause;
  };
  readonly test: { readonly message: string };
}

export type AlertType = keyof AlertData;

/** An alert as receivers get it, with the fields that Standard Webhooks recommends. */
export interface AlertOf<Type extends AlertType> {
  readonly type: Type;
  readonly timestamp: string;
  readonly data: AlertData[Type];
}

export type Alert = { readonly [Type in AlertType]: AlertOf<Type> }[AlertType];

export function newAlert<Type extends AlertType>(type: Type, data: AlertData[Type], at: Date): AlertOf<Type> {
  return { type, timestamp: at.toISOString(), data };
}

/** A change that an alert reports. Contains no text from the scanned site. */
export type AlertChange =
  | { readonly kind: 'SCORE_FELL'; readonly from: number; readonly to: number }
  | {
      readonly kind: 'CHECK_FAILING';
      readonly checkId: string;
      readonly title: string | null;
      /** Names the failure, with the line number if it is in a file that people edit. */
      readonly headline: string;
      readonly errorType: ErrorType | null;
    }
  | { readonly kind: 'CHECK_FIXED'; readonly checkId: string; readonly title: string | null }
  | AccessChange
  | { readonly kind: 'SITE_UNREACHABLE' }
  | { readonly kind: 'SITE_REACHABLE' };

/** A run that has just finished. */
interface NewRun extends Pick<RunSummary, 'score' | 'pages' | 'answer'> {
  readonly findings: readonly Pick<Finding, 'checkId' | 'scored' | 'result' | 'errorType' | 'title' | 'detail'>[];
}

interface RunDifference {
  readonly changes: readonly AlertChange[];
  /** Score of the run with which this one is compared; null if there is none. */
  readonly previousScore: number | null;
}

/**
 * Returns the changes that an alert reports: assistants that gained or lost access, new failures and the lower score that they cause, fixed
 * checks, and a site that two runs in a row could not reach. Skips failures that the owner accepted.
 * @param earlier runs of the site, newest first
 */
export function findAlertChanges(
  now: NewRun,
  earlier: readonly RunSummary[],
  accepted: readonly FailureKind[] = [],
): RunDifference {
  const [last, secondLast] = earlier;
  const wasDown = last !== undefined && isUnreachable(last) && secondLast !== undefined && isUnreachable(secondLast);
  const [before, ...others] = earlier.filter(({ score }) => score !== null);
  const previousScore = before?.score ?? null;
  if (isUnreachable(now)) {
    const isSecondInARow = last !== undefined && isUnreachable(last) && !wasDown;
    return { changes: isSecondInARow ? [{ kind: 'SITE_UNREACHABLE' }] : [], previousScore };
  }
  const isAccepted: IsAccepted = (checkId, errorType) =>
    accepted.some((one) => one.checkId === checkId && one.errorType === errorType);
  const isBlockIntended = now.findings.some(
    ({ checkId, errorType }) => ACCESS_CHECKS.has(checkId) && isAccepted(checkId, errorType),
  );
  const changes: AlertChange[] = findAccessChanges(now.answer, earlier, isBlockIntended);
  if (wasDown) changes.push({ kind: 'SITE_REACHABLE' });
  const to = now.score;
  if (!before || to === null) return { changes, previousScore };
  const checks = findCheckChanges(now, compareFindings([before, ...others], now), isAccepted);
  const failing = new Set(checks.flatMap((change) => (change.kind === 'CHECK_FAILING' ? [change.checkId] : [])));
  const hasScoredFailure = now.findings.some(({ checkId, scored }) => scored && failing.has(checkId));
  if (hasScoredFailure && previousScore !== null && to < previousScore) {
    changes.push({ kind: 'SCORE_FELL', from: previousScore, to });
  }
  return { changes: [...changes, ...checks], previousScore };
}

/** True if the run could not determine any applicable check. False if no check applies. */
function isUnreachable({ score, findings }: Pick<RunSummary, 'score' | 'findings'>): boolean {
  const hasVerdict = findings.some(({ result }) => result === 'PASS' || result === 'FAIL');
  return score === null && !hasVerdict && findings.some(({ result }) => result !== 'NOT_APPLICABLE');
}

/** An owner who accepts a failure of these checks blocks assistants on purpose. */
const ACCESS_CHECKS: ReadonlySet<string> = new Set(['C-BOT-01', 'C-BOT-03']);

type IsAccepted = (checkId: string, errorType: ErrorType | null) => boolean;

/** Lists fixed and failing checks in the order of the findings. An accepted check that fails with another error is a new failure. */
function findCheckChanges({ findings }: NewRun, comparison: Comparison, isAccepted: IsAccepted): AlertChange[] {
  const fixed = new Set(comparison.fixed.map(({ checkId }) => checkId));
  const failing = new Set([
    ...comparison.newFailures.map(({ checkId }) => checkId),
    ...changedFailures(comparison)
      .filter(({ checkId, errorBefore = null }) => isAccepted(checkId, errorBefore))
      .map(({ checkId }) => checkId),
  ]);
  return findings.flatMap((finding): AlertChange[] => {
    const { checkId, title, errorType } = finding;
    if (fixed.has(checkId)) return [{ kind: 'CHECK_FIXED', checkId, title }];
    if (!failing.has(checkId) || isAccepted(checkId, errorType)) return [];
    return [{ kind: 'CHECK_FAILING', checkId, title, headline: headlineWithLine(finding), errorType }];
  });
}

/** Files that people edit themselves, so a line number helps. */
const EDITED_FILES = /^(?:robots|llms)\.txt /;

function headlineWithLine(finding: NewRun['findings'][number]): string {
  const headline = headlineOf(finding);
  const [, line] = /\bline (\d+)\b/i.exec(finding.detail ?? '') ?? [];
  return line !== undefined && EDITED_FILES.test(headline) ? `${headline} (line ${line})` : headline;
}

/** How much of a site an assistant can read, best first. */
export const READABILITY = ['open', 'partly', 'blocked'] as const;
type KnownState = (typeof READABILITY)[number];

/** An assistant that can read more or less of the site than before. */
export interface AccessChange {
  readonly kind: 'ACCESS_CHANGED';
  readonly assistant: string;
  readonly before: KnownState;
  readonly now: KnownState;
  /** What blocks it, such as `robots.txt, line 7`; null if nothing does. */
  readonly reason: string | null;
}

/**
 * Compares each assistant with the last run that knows its state. Ignores unknown states, and earlier refusals that this run did not
 * retest.
 * @param isBlockIntended true if the owner blocks assistants on purpose, so that only better access is reported
 */
export function findAccessChanges(
  answer: Answer | null,
  earlier: readonly Pick<RunSummary, 'answer'>[],
  isBlockIntended: boolean,
): AccessChange[] {
  if (answer === null) return [];
  return answer.assistants.flatMap((assistant): AccessChange[] => {
    const { name, state: now } = assistant;
    const previous = earlier
      .map((run) => run.answer?.assistants.find((one) => one.name === name))
      .find((one) => one !== undefined && one.state !== 'unknown');
    const before = previous?.state;
    if (previous === undefined || before === undefined || before === now) return [];
    if (before === 'unknown' || now === 'unknown' || isUntested(previous, assistant)) return [];
    if (isBlockIntended && isWorse({ before, now })) return [];
    return [{ kind: 'ACCESS_CHANGED', assistant: name, before, now, reason: describeBlock(assistant) }];
  });
}

/** True if the assistant can read less than before. */
export function isWorse({ before, now }: Pick<AccessChange, 'before' | 'now'>): boolean {
  return READABILITY.indexOf(now) > READABILITY.indexOf(before);
}

function isUntested(before: Assistant, now: Assistant): boolean {
  const untested = now.tokens.filter(({ robots, server }) => robots === 'allowed' && server === 'untested');
  return before.tokens.some(({ token, server }) => server === 'refused' && untested.some((one) => one.token === token));
}
