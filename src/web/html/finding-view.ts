import { type Comparison, changedFailures } from '../../scanner/report/comparison.js';
import { checkOf, failureOf, headlineOf } from '../../scanner/report/failures.js';
import type { Gain } from '../../scanner/report/gain.js';
import type { FailureKind, Finding } from '../../scanner/verdict/finding.js';
import { fixFor, type Platform } from '../../scanner/verdict/fix-parts.js';
import type { ErrorType, Result } from '../../scanner/verdict/vocabulary.js';
import { addressOf } from '../server/paths.js';
import { adaptFix, isUnfixableOn } from './platform-fix.js';
import { capitalise } from './text.js';

/** A check that was repeated after the latest run. */
export interface ShownRecheck {
  readonly checkId: string;
  readonly startedAt: string;
  /** Null while it runs. */
  readonly finishedAt: string | null;
  /** Null while it runs, and if it failed by a fault of ours. */
  readonly result: Result | null;
  readonly errorType: ErrorType | null;
  readonly detail: string | null;
}

export interface AcceptedFailure extends FailureKind {
  readonly reason: string;
  readonly acceptedAt: string;
}

/** Data of a run that only the site's owner sees. */
export interface OwnerNotes {
  readonly siteId: string;
  readonly number: number;
  /** True for the latest run of a verified site: its checks can be repeated, and its failures accepted. */
  readonly canRecheck: boolean;
  readonly rechecks: readonly ShownRecheck[];
  readonly accepted: readonly AcceptedFailure[];
  /** By check id, the run since which its result is the same; missing if that is more than {@link sinceMax} runs ago. */
  readonly since: ReadonlyMap<string, number>;
  readonly sinceMax: number;
  /** Compares the run with the last one before it that has a score. */
  readonly comparison: Comparison | null;
  readonly isLatest: boolean;
  readonly evidence: ReadonlySet<string>;
  /** Why a check could not be repeated just now; null if none was refused. */
  readonly refused: RefusedRecheck | null;
}

export interface RefusedRecheck {
  readonly checkId: string;
  readonly message: string;
}

/** What a fix adds to the score. */
interface Worth {
  /** `+6`; null for no points. */
  readonly points: string | null;
  /** The unit of the points, such as `or more points`. Without points, the reason: `not possible on Wix`. */
  readonly note: string | null;
}

export interface Remark {
  readonly words: string;
  readonly className: string;
  readonly at: string | null;
}

export interface Outcome {
  readonly result: Result | null;
  readonly words: string;
  /** When the check was repeated; null while it runs. */
  readonly at: string | null;
  readonly more: string;
}

/** A finding that did not pass, as a list shows it. */
export interface FindingRow {
  readonly finding: Finding;
  readonly checkId: string;
  /** `fixed`: passed when it was checked again. */
  readonly state: 'open' | 'fixed' | 'accepted';
  readonly headline: string;
  readonly detail: string | null;
  readonly worth: Worth | null;
  readonly remarks: readonly Remark[];
  readonly accepted: AcceptedFailure | null;
  readonly outcome: Outcome | null;
  readonly fix: string | null;
  /** URL of the platform form; null if there is none, or if the platform is known. */
  readonly platformHref: string | null;
  readonly actions: Actions;
  readonly isExpanded: boolean;
}

/** URLs of a row's buttons; null for a button that it does not have. */
interface Actions {
  readonly checkAgain: string | null;
  /** True if checking again is the next step. */
  readonly isNext: boolean;
  /** Why checking again was refused; null if it was not. */
  readonly refusal: string | null;
  readonly agent: string | null;
  readonly details: string | null;
  readonly hasEvidence: boolean;
  readonly accept: string | null;
  readonly undoAccept: string | null;
}

interface RowOptions {
  readonly origin: string;
  readonly agentHref: string | null;
  readonly owner: OwnerNotes | null;
  readonly platform: Platform | null;
  readonly platformHref: string | null;
  readonly gain: Gain | null;
  readonly isFirst: boolean;
  /** True if a check was fixed since the run, so that a new run is the next step. */
  readonly hasFixed: boolean;
}

/** The field on the page of a finding that asks why it is accepted. */
export const REASON_FIELD = 'reason';

export function rowOf(finding: Finding, options: RowOptions): FindingRow {
  const { origin, owner, platform, platformHref, isFirst } = options;
  const { checkId, result, scored, detail } = finding;
  const state = stateOf(finding, owner);
  const outcome = outcomeOf(finding, owner);
  const general = finding.fix ?? failureOf(finding)?.fix ?? null;
  const fix = result === 'FAIL' && general !== null ? fixFor(origin, general, detail) : null;
  return {
    finding,
    checkId,
    state,
    headline: state === 'fixed' ? passedHeadline(finding) : headlineOf(finding),
    detail: state === 'fixed' ? null : detail,
    worth: result === 'FAIL' && scored ? worthOf(finding, options) : null,
    remarks: owner ? remarksOf(finding, owner) : [],
    accepted: owner && acceptedOf(finding, owner),
    outcome,
    fix: fix !== null && platform !== null ? adaptFix(platform, fix, finding) : fix,
    // One link per page is enough.
    platformHref: isFirst && platform === null ? platformHref : null,
    actions: actionsOf(finding, options),
    isExpanded: isFirst || (outcome !== null && state !== 'fixed') || owner?.refused?.checkId === checkId,
  };
}

function worthOf(failure: Finding, { platform, gain }: RowOptions): Worth {
  if (isUnfixableOn(platform, failure)) return { points: null, note: `not possible on ${platform}` };
  if (gain === null || gain.points <= 0) return { points: null, note: null };
  return { points: `+${gain.points}`, note: gain.isAtLeast ? 'or more points' : 'points' };
}

export function stateOf(finding: Finding, owner: OwnerNotes | null): FindingRow['state'] {
  if (owner === null || finding.result !== 'FAIL') return 'open';
  if (recheckOf(finding, owner)?.result === 'PASS') return 'fixed';
  return acceptedOf(finding, owner) ? 'accepted' : 'open';
}

function recheckOf({ checkId }: Finding, { rechecks }: OwnerNotes): ShownRecheck | null {
  return rechecks.find((recheck) => recheck.checkId === checkId) ?? null;
}

function acceptedOf({ checkId, result, errorType }: Finding, { accepted }: OwnerNotes): AcceptedFailure | null {
  if (result !== 'FAIL') return null;
  return accepted.find((one) => one.checkId === checkId && one.errorType === errorType) ?? null;
}

/** Returns the headline of a check that passes, such as one that was fixed. */
export function passedHeadline({ checkId, title }: Pick<Finding, 'checkId' | 'title'>): string {
  return checkOf(checkId)?.answer.replace(/\.$/, '') ?? title ?? checkId;
}

const RECHECK_WORDS = {
  PASS: ['is-p', 'passes now'],
  FAIL: ['is-f', 'still fails'],
  UNDETERMINED: ['is-u', 'could not be determined'],
  NOT_APPLICABLE: ['is-u', 'does not apply now'],
  none: ['is-u', 'could not be checked again'],
} as const;

const RUNNING: Outcome = {
  result: null,
  words: 'Being checked again.',
  at: null,
  more: 'It takes less than a minute.',
};
const OUR_FAULT = 'The service was too busy, or failed. The site is not to blame: try again in a minute.';

/** Describes the outcome of a repeated check; null if it was not repeated. */
export function outcomeOf(finding: Finding, owner: OwnerNotes | null): Outcome | null {
  const recheck = owner && recheckOf(finding, owner);
  if (!recheck) return null;
  const { result, finishedAt: at, errorType, detail } = recheck;
  if (at === null) return RUNNING;
  if (result === null) return { result, words: `It ${RECHECK_WORDS.none[1]}`, at, more: OUR_FAULT };
  const isOther = result === 'FAIL' && errorType !== finding.errorType;
  const how = finding.result === 'FAIL' ? 'fails in another way' : 'fails now';
  const words = isOther ? `${how}: ${headlineOf({ ...finding, errorType })}` : RECHECK_WORDS[result][1];
  const more = [detail ?? '', result === 'PASS' ? 'The score follows with the next run.' : ''].join(' ').trim();
  return { result, words: `It ${words}`, at, more };
}

/** Returns the outcome of a recheck, and since which run the result has lasted, unless it is the first. */
function remarksOf(finding: Finding, owner: OwnerNotes): Remark[] {
  const { comparison, number, sinceMax } = owner;
  const { checkId } = finding;
  const recheck = recheckOf(finding, owner);
  const remarks = recheck ? [describeRecheck(recheck)] : [];
  if (recheck?.result === 'PASS') return remarks;
  const since = owner.since.get(checkId);
  const isIn = (changes: Comparison['newFailures'] = []): boolean =>
    changes.some((change) => change.checkId === checkId);
  if (isIn(comparison?.newFailures)) remarks.push(remark(`New in run ${number}`, 'chip is-f'));
  else if (isIn(comparison?.nowJudged)) remarks.push(remark('Newly checked', 'chip'));
  else if (comparison && isIn(changedFailures(comparison))) remarks.push(remark('Fails differently', 'chip'));
  else if (since === undefined) remarks.push(remark(`for more than ${sinceMax} runs`));
  else if (since !== 1) remarks.push(remark(`since run ${since}`));
  return remarks;
}

function describeRecheck({ result, finishedAt }: ShownRecheck): Remark {
  if (finishedAt === null) return remark('Being checked again', 'chip');
  const [tone, words] = RECHECK_WORDS[result ?? 'none'];
  return remark(`${capitalise(words)}${result === null ? '' : ', checked'}`, `chip ${tone}`, result && finishedAt);
}

function remark(words: string, className = '', at: string | null = null): Remark {
  return { words, className, at };
}

function actionsOf(finding: Finding, { owner, agentHref, hasFixed }: RowOptions): Actions {
  const { checkId, result } = finding;
  const details = owner && addressOf.evidence(owner.siteId, owner.number, checkId);
  const canRecheck = owner?.canRecheck === true;
  const canAccept = canRecheck && failureOf(finding) !== null;
  const isAccepted = owner !== null && acceptedOf(finding, owner) !== null;
  return {
    checkAgain: canRecheck ? addressOf.recheck(owner.siteId, checkId) : null,
    isNext: !hasFixed && result === 'FAIL',
    refusal: owner?.refused?.checkId === checkId ? owner.refused.message : null,
    agent:
      result === 'FAIL' && agentHref !== null
        ? `${agentHref}${agentHref.includes('?') ? '&' : '?'}check=${checkId}`
        : null,
    details,
    hasEvidence: owner?.evidence.has(checkId) ?? false,
    accept: canAccept && !isAccepted ? `${details}#${REASON_FIELD}` : null,
    undoAccept: canAccept && isAccepted ? `${details}/accept/remove` : null,
  };
}
