import { setImmediate } from 'node:timers/promises';
import type { Answer } from '../artifacts/answer.js';
import { pathOf, type SampledPages } from '../artifacts/pages.js';
import {
  type Evidence,
  type EvidenceKind,
  type EvidenceMap,
  type EvidenceSet,
  type HomePageFailure,
  missing,
  valueOf,
} from '../artifacts/evidence.js';
import { OutOfSlots } from '../artifacts/resource.js';
import { safeText } from '../artifacts/safe-text.js';
import { CHECKS, findAnswer, NOTES } from '../checks/index.js';
import { openVisit, type VisitOptions } from '../client/open-visit.js';
import type { Visit } from '../client/visit.js';
import { COLLECTORS } from '../gatherers/collectors.js';
import { type CollectContext, createContext } from '../probe/context.js';
import { controlNames } from '../probe/control.js';
import { gainsOf, type Gain } from '../report/gain.js';
import type { EarlyResult, ScanProgress } from '../report/progress.js';
import { scoreOf } from '../report/score.js';
import type { ExchangeLog } from '../trace/exchanges.js';
import { selectEvidence } from '../trace/select-evidence.js';
import type { StoredEvidence } from '../trace/stored-evidence.js';
import { type Check, judge, type Judgement } from '../verdict/check.js';
import type { Finding } from '../verdict/finding.js';
import type { Note } from '../verdict/note.js';
import type { OwnedNote } from '../verdict/note-rule.js';
import { nameStandard, STANDARDS } from '../verdict/standards.js';

/** The source of the current time, which tests can choose. */
export interface Clock {
  now(): Date;
}

export interface SessionOptions extends VisitOptions {
  /** Set to store the evidence behind findings. */
  readonly log?: ExchangeLog;
}

/** The visit and context of one scan. The scan closes it. */
export interface ScanSession {
  readonly visit: Visit;
  readonly context: CollectContext;
  readonly log?: ExchangeLog | undefined;
  close(): Promise<void>;
}

/** Opens a visit with the context of the collectors. @param controlSeed see {@link controlNames} */
export function openSession(options: SessionOptions, now: Date, controlSeed: string): ScanSession {
  const { target, log } = options;
  const visit = openVisit(log ? { ...options, watch: log.watch } : options);
  const randomName = controlNames(controlSeed);
  const context = createContext({
    target,
    visit,
    collectors: COLLECTORS,
    now,
    randomName,
    ...(log && { parts: log.parts }),
  });
  return { visit, context, log, close: () => visit.close() };
}

export interface ScanDeps {
  readonly clock: Clock;
  /** Default: all, with all notes. Without `notes`, chosen checks have none. */
  readonly checks?: readonly Check[];
  readonly notes?: readonly OwnedNote[];
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
}

export interface ScanReport {
  /** 0 to 100, or null when nothing scorable could be determined. */
  readonly score: number | null;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Requests made, including those that could not be sent. */
  readonly requestCount: number;
  /** Requests sent to the site itself. */
  readonly siteRequestCount: number;
  /** One per check, in registry order. */
  readonly findings: readonly Finding[];
  /** Advice in addition to the findings. */
  readonly notes: readonly Note[];
  /** The host that the site has moved to, in its own words: see {@link SiteMove}. */
  readonly movedTo: string | null;
  /** Why the home page could not be read, or not by https. */
  readonly gap?: HomePageFailure;
  /** What fixing each failure would add to the score, in registry order. */
  readonly gains: readonly Gain[];
  /** Which assistants can read the site; null if the scan does not say. */
  readonly answer: Answer | null;
  /** Which pages were read: null if no pages were ever chosen. Chosen paths are user input; escape them. */
  readonly pages: SampledPages | null;
  /** The evidence behind the failures, for the verified owner only. Null if none is stored. */
  readonly evidence: StoredEvidence | null;
}

/**
 * Scans one site: gathers evidence, judges it as it arrives, then scores. Never rejects because of the site.
 * @throws OutOfResources, or OutOfSlots, when evidence is missing because of our own limits; any other rejection is a bug in the scanner
 */
export async function scan(session: ScanSession, deps: ScanDeps): Promise<ScanReport> {
  const { visit, context, log } = session;
  const { checks = CHECKS, notes = deps.checks ? [] : NOTES } = deps;
  const { pages } = context.target;
  const kinds = neededKinds(checks, notes);
  let done = 0;
  const judged = new Map<Check, Judgement>();
  const reportProgress = (): void => {
    const { requestCount } = visit;
    const results = Array.from(judged.values(), toEarlyResult);
    deps.onProgress?.({ done, total: kinds.length, requestCount, judged: results });
  };
  /** Judges each check whose evidence is complete. */
  const judgeReady = (evidence: Partial<EvidenceSet>): void => {
    for (const check of checks) {
      if (judged.has(check) || ![...check.needs, ...check.uses].every((kind) => kind in evidence)) continue;
      judged.set(check, judge(check, evidence));
      reportProgress();
    }
  };
  try {
    const evidence = await gather(context, kinds, (seen) => {
      done += 1;
      judgeReady(seen);
      reportProgress();
    });
    // The report says which chosen pages were read, even if no check reads the sample itself.
    if (pages && context.hasStarted('sample')) Object.assign(evidence, await gather(context, ['sample']));
    // Evidence that is missing because of our limits is not the site's fault, and a stored run cannot be corrected.
    if (visit.isLimitedByUs) throw new OutOfSlots(visit.siteRequestCount);
    judgeReady(evidence);
    const judgements = checks.flatMap((check) => judged.get(check) ?? []);
    const findings = judgements.map(({ finding }) => finding);
    return {
      score: scoreOf(findings),
      startedAt: context.now,
      finishedAt: deps.clock.now(),
      requestCount: visit.requestCount,
      siteRequestCount: visit.siteRequestCount,
      findings,
      notes: collectNotes(notes, evidence),
      movedTo: (evidence.home && valueOf(evidence.home)?.move?.hostname) ?? null,
      ...failureOfHome(evidence),
      gains: gainsOf(checks, findings),
      answer: findAnswer(evidence),
      pages: describePages(pages, evidence),
      evidence: log ? selectEvidence(judgements.filter(needsEvidence), log) : null,
    };
  } finally {
    await session.close();
  }
}

const OUT_OF_TIME = missing(
  'UNDETERMINED',
  safeText`The run reached its time limit before this was fetched, because the site is slow. Run again later.`,
);

/**
 * Gathers these kinds of evidence in parallel; a kind that depends on another awaits it through the context. A kind that is unfinished at the
 * deadline counts as missing, so that the run still completes.
 * @param onGathered called after each kind with all evidence so far
 */
export async function gather(
  context: CollectContext,
  kinds: readonly EvidenceKind[],
  onGathered: (seen: Partial<EvidenceSet>) => void = () => undefined,
): Promise<Partial<EvidenceSet>> {
  const outOfTime = waitForDeadline(context.visit.deadline);
  const seen: Partial<EvidenceSet> = {};
  const collect = async (kind: EvidenceKind): Promise<void> => {
    Object.assign(seen, { [kind]: await Promise.race([context.evidence(kind), outOfTime]) });
    onGathered(seen);
  };
  await Promise.all(kinds.map(collect));
  return seen;
}

/** Event-loop turns after the deadline, so that collectors can finish with what they have read. */
const LAST_TURNS = 200;

/** Resolves to OUT_OF_TIME after the deadline, which also aborts when the visit is closed. */
async function waitForDeadline(deadline: AbortSignal): Promise<typeof OUT_OF_TIME> {
  if (!deadline.aborted) await new Promise((resolve) => deadline.addEventListener('abort', resolve));
  for (let turn = 0; turn < LAST_TURNS; turn += 1) await setImmediate();
  return OUT_OF_TIME;
}

/** @param pages the chosen pages; undefined if none were ever chosen */
function describePages(pages: readonly URL[] | undefined, { sample }: Partial<EvidenceSet>): SampledPages | null {
  if (pages === undefined) return null;
  const chosen = sample && valueOf(sample)?.chosen;
  return { chosen: chosen ?? pages.map((page) => ({ path: pathOf(page), isRead: false })) };
}

function failureOfHome({ home }: Partial<EvidenceSet>): Pick<ScanReport, 'gap'> {
  if (!home) return {};
  if ('failed' in home) return home.failed.gap ? { gap: home.failed.gap } : {};
  const { httpsFailure } = home.ok;
  return httpsFailure ? { gap: { failure: httpsFailure.failure } } : {};
}

function toEarlyResult({ finding: { checkId, result, errorType } }: Judgement): EarlyResult {
  return { checkId, result, ...(errorType !== null && { errorType }) };
}

function needsEvidence({ finding: { result } }: Judgement): boolean {
  return result === 'FAIL' || result === 'UNDETERMINED';
}

function collectNotes(notes: readonly OwnedNote[], evidence: Partial<EvidenceSet>): Note[] {
  const entries = Object.entries(evidence) as [EvidenceKind, Evidence<unknown>][];
  const seen: unknown = Object.fromEntries(entries.map(([kind, item]) => [kind, valueOf(item)]));
  return notes.flatMap((note) => {
    const { id, checkId, standard } = note;
    const text = note.observe(seen as EvidenceMap)?.text;
    if (text === undefined) return [];
    return { id, checkId, text, standard: nameStandard(standard), url: STANDARDS[standard].url };
  });
}

/** Returns the evidence that checks and notes read. */
function neededKinds(checks: readonly Check[], notes: readonly OwnedNote[]): EvidenceKind[] {
  const ofChecks = checks.flatMap(({ needs, uses }) => [...needs, ...uses]);
  return [...new Set([...ofChecks, ...notes.flatMap(({ uses }) => uses)])];
}
