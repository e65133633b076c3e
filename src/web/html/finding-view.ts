import { type Comparison, failingOtherwise } from '../../scanner/report/comparison.js';
import { checkOf, failureOf, headlineOf } from '../../scanner/report/failures.js';
import type { Gain, Rung } from '../../scanner/report/gain.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Finding, FailureKind } from '../../scanner/verdict/finding.js';
import { fixFor } from '../../scanner/verdict/fix-parts.js';
import type { ErrorType, Result } from '../../scanner/verdict/vocabulary.js';
import { addressOf } from '../server/site-paths.js';
import { splitDetail, splitSentence } from './detail.js';
import { capitalise } from './format.js';
import { failureHref } from './result.js';

/** A check that was repeated after the latest run. */
export interface CheckedAgain {
  readonly checkId: string;
  readonly startedAt: string;
  /** Null while it runs. */
  readonly finishedAt: string | null;
  /** Null while it runs, and if it failed by a fault of ours. */
  readonly result: Result | null;
  readonly errorType: ErrorType | null;
  readonly detail: string | null;
}

/** A failure that the owner has accepted. */
export interface Accepted extends FailureKind {
  readonly reason: string;
  readonly acceptedAt: string;
}

/** What only the owner of a site sees of a run. */
export interface OwnerNotes {
  readonly siteId: string;
  readonly number: number;
  /** True for the latest run of a verified site: only its checks can be repeated, and its failures accepted. */
  readonly isOpen: boolean;
  readonly rechecks: readonly CheckedAgain[];
  readonly accepted: readonly Accepted[];
  /** By check id, since which run it has had its result; missing if that is longer ago than {@link sinceMax} runs. */
  readonly since: ReadonlyMap<string, number>;
  readonly sinceMax: number;
  /** With the last run before it that has a score. */
  readonly comparison: Comparison | null;
  readonly isLatest: boolean;
  /** By check id. */
  readonly evidence: ReadonlyMap<string, EvidenceSize>;
}

export interface EvidenceSize {
  readonly requests: number;
  /** The first line named in the finding; null if none is. */
  readonly line: number | null;
}

/** Points that a fix adds. */
export interface Worth {
  readonly scored: boolean;
  readonly points: number;
  readonly isAtLeast: boolean;
  /** The score before and after, if the fixes are done in their order. */
  readonly score: readonly [from: number, to: number] | null;
}

/** Words below a headline. */
export interface Remark {
  readonly words: string;
  /** A chip stands out. */
  readonly isChip: boolean;
  readonly tone: 'is-p' | 'is-f' | 'is-u' | null;
  /** A time that follows. */
  readonly at: string | null;
}

/** The outcome of a repeated check. */
export interface Outcome {
  readonly result: Result | null;
  readonly words: string;
  /** When it was checked; null while it runs. */
  readonly at: string | null;
  readonly more: string;
}

/** A finding that did not pass, as a list shows it. */
export interface FindingRow {
  readonly finding: Finding;
  readonly checkId: string;
  /** fixed: passed when it was checked again. */
  readonly state: 'open' | 'fixed' | 'accepted';
  readonly headline: string;
  readonly lead: string;
  /** What only an open row shows. */
  readonly rest: string;
  /** True if the first sentence was cut. */
  readonly isCut: boolean;
  readonly worth: Worth | null;
  readonly remarks: readonly Remark[];
  readonly accepted: Accepted | null;
  readonly outcome: Outcome | null;
  readonly fix: string | null;
  readonly exampleHref: string | null;
  /** The form that repeats the check. */
  readonly checkAgain: { readonly href: string; readonly label: string; readonly isNext: boolean } | null;
  /** The failure for a coding agent. */
  readonly agentHref: string | null;
  /** The page of the finding. */
  readonly details: { readonly href: string; readonly label: string; readonly note: string } | null;
  readonly acceptHref: string | null;
  readonly undoAcceptHref: string | null;
  readonly isOpen: boolean;
}

interface RowOptions {
  readonly origin: string;
  readonly agentHref: string | null;
  readonly owner: OwnerNotes | null;
  readonly rung: Rung | null;
  readonly gain: Gain | null;
  readonly isFirst: boolean;
  /** True if another check passed again, so that a run is the next step. */
  readonly hasFixed: boolean;
}

/** The field on the page of a finding that asks why it is accepted. */
export const REASON_FIELD = 'reason';

/** Length of the detail in a closed row: whole sentences, or part of a longer one. */
const CLOSED_CHARS_MAX = 140;
const SENTENCE_CHARS_MAX = 160;

export function rowOf(finding: Finding, options: RowOptions): FindingRow {
  const { origin, owner, isFirst } = options;
  const { checkId, errorType, result, detail } = finding;
  const state = stateOf(finding, owner);
  const outcome = outcomeOf(finding, owner);
  const [first, others] = splitDetail(
    state === 'fixed' ? { detail: outcome?.more ?? null } : finding,
    CLOSED_CHARS_MAX,
  );
  const [lead, end] = splitSentence(first, SENTENCE_CHARS_MAX);
  const failure = failureOf(finding);
  const fix = finding.fix ?? failure?.fix ?? null;
  return {
    finding,
    checkId,
    state,
    headline: state === 'fixed' ? passedHeadline(finding) : headlineOf(finding),
    lead,
    rest: [end, others].join(' ').trim(),
    isCut: end !== '',
    worth: result === 'FAIL' ? worthOf(finding, options) : null,
    remarks: owner ? remarksOf(finding, owner) : [],
    accepted: owner ? acceptedOf(finding, owner) : null,
    outcome,
    fix: result === 'FAIL' && fix !== null ? fixFor(origin, fix, detail) : null,
    exampleHref: errorType !== null && failure !== null ? failureHref(checkId, errorType) : null,
    ...actionsOf(finding, options),
    isOpen: isFirst || (outcome !== null && state !== 'fixed'),
  };
}

export function stateOf(finding: Finding, owner: OwnerNotes | null): FindingRow['state'] {
  if (owner === null || finding.result !== 'FAIL') return 'open';
  if (recheckOf(finding, owner)?.result === 'PASS') return 'fixed';
  return acceptedOf(finding, owner) ? 'accepted' : 'open';
}

function recheckOf({ checkId }: Finding, { rechecks }: OwnerNotes): CheckedAgain | null {
  return rechecks.find((recheck) => recheck.checkId === checkId) ?? null;
}

export function acceptedOf(finding: Finding, { accepted }: Pick<OwnerNotes, 'accepted'>): Accepted | null {
  return accepted.find((one) => isAcceptedBy(one, finding)) ?? null;
}

export function isAcceptedBy(accepted: FailureKind, { checkId, result, errorType }: Finding): boolean {
  return result === 'FAIL' && accepted.checkId === checkId && accepted.errorType === errorType;
}

/** A check that passes again is no longer called by its failure. */
function passedHeadline({ checkId, title }: Finding): string {
  return checkOf(checkId)?.answer.replace(/\.$/, '') ?? title ?? checkId;
}

function worthOf({ scored }: Finding, { rung, gain }: RowOptions): Worth {
  return {
    scored,
    points: rung ? rung.to - rung.from : (gain?.points ?? 0),
    isAtLeast: (rung ?? gain)?.isAtLeast ?? false,
    score: rung && [rung.from, rung.to],
  };
}

const AGAIN = {
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
  const more = [detail, result === 'PASS' ? 'The score follows with the next run.' : null].filter(
    (part) => part !== null,
  );
  const isOther = result === 'FAIL' && errorType !== finding.errorType;
  const how = finding.result === 'FAIL' ? 'fails in another way' : 'fails now';
  const words = isOther ? `${how}: ${headlineOf({ ...finding, errorType })}` : AGAIN[result ?? 'none'][1];
  return { result, words: `It ${words}`, at, more: result === null ? OUR_FAULT : more.join(' ') };
}

function remarksOf(finding: Finding, owner: OwnerNotes): Remark[] {
  const recheck = recheckOf(finding, owner);
  return [...(recheck ? [describeRecheck(recheck)] : []), ...describeAge(finding, owner)];
}

function describeRecheck({ result, finishedAt }: CheckedAgain): Remark {
  if (finishedAt === null) return chip('Being checked again');
  const [tone, words] = AGAIN[result ?? 'none'];
  return result === null
    ? chip(capitalise(words), tone)
    : { ...chip(`${capitalise(words)}, checked`, tone), at: finishedAt };
}

function chip(words: string, tone: Remark['tone'] = null): Remark {
  return { words, isChip: true, tone, at: null };
}

function text(words: string, tone: Remark['tone'] = null): Remark {
  return { words, isChip: false, tone, at: null };
}

/** Says since when a finding is so. What is so since the first run is not mentioned. */
function describeAge({ checkId }: Finding, owner: OwnerNotes): Remark[] {
  const { comparison, number, sinceMax } = owner;
  const since = owner.since.get(checkId);
  const isAmong = (changes: Comparison['newFailures']): boolean => changes.some((change) => change.checkId === checkId);
  if (comparison && isAmong(comparison.newFailures)) return [chip(`New in run ${number}`, 'is-f')];
  if (comparison && isAmong(comparison.nowJudged)) return [chip('Now judged')];
  if (comparison && isAmong(failingOtherwise(comparison))) return [chip('Fails differently')];
  if (since === undefined) return [text(`for more than ${sinceMax} runs`)];
  return since === 1 ? [] : [text(`since run ${since}`)];
}

function describeSize({ requests, line }: EvidenceSize): string {
  return `${countOf(requests, 'request')}${line === null ? '' : `, line ${line}`}`;
}

type Actions = Pick<FindingRow, 'checkAgain' | 'agentHref' | 'details' | 'acceptHref' | 'undoAcceptHref'>;

function actionsOf(finding: Finding, { owner, agentHref, hasFixed }: RowOptions): Actions {
  const { checkId, result, errorType } = finding;
  const forAgent = result === 'FAIL' && agentHref !== null ? `${agentHref}?check=${checkId}` : null;
  const none = { checkAgain: null, agentHref: forAgent, details: null, acceptHref: null, undoAcceptHref: null };
  if (owner === null) return none;
  const { siteId, number, evidence } = owner;
  const href = addressOf.evidence(siteId, number, checkId);
  const size = evidence.get(checkId);
  const details = { href, label: size ? 'Evidence' : 'Details', note: size ? describeSize(size) : '' };
  if (!owner.isOpen) return { ...none, details };
  const isRunning = recheckOf(finding, owner)?.finishedAt === null;
  const canAccept = errorType !== null && failureOf(finding) !== null;
  const isAccepted = acceptedOf(finding, owner) !== null;
  return {
    checkAgain: {
      href: addressOf.recheck(siteId, checkId),
      label: isRunning ? 'Checking again' : 'Check again',
      isNext: !hasFixed && result === 'FAIL',
    },
    agentHref: forAgent,
    details,
    acceptHref: canAccept && !isAccepted ? `${href}#${REASON_FIELD}` : null,
    undoAcceptHref: canAccept && isAccepted ? addressOf.removeAccepted(siteId, { checkId, errorType }) : null,
  };
}
