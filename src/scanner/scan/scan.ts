import type { Check } from '../verdict/check.js';
import type { Clock } from './clock.js';
import type { Answer } from '../artifacts/answer.js';
import { findAnswer } from '../checks/index.js';
import { pathOf, type SampledPages } from '../artifacts/chosen-pages.js';
import {
  type Evidence,
  type EvidenceKind,
  type EvidenceSet,
  type HomePageFailure,
  valueOf,
} from '../artifacts/evidence.js';
import type { Finding } from '../verdict/finding.js';
import type { KeptEvidence } from '../trace/kept-evidence.js';
import { gainsOf, type Gain } from '../report/gain.js';
import { OutOfSlots } from '../artifacts/out-of-resources.js';
import { scoreOf } from '../report/score.js';
import { type CollectContext, createContext } from '../probe/context.js';
import type { Note } from '../verdict/note.js';
import type { OwnedNote } from '../verdict/note-rule.js';
import { gather, COLLECTORS } from '../gatherers/gather.js';
import type { ScanTarget, Visit } from '../client/visit.js';
import type { ExchangeLog } from '../trace/exchanges.js';
import { keepEvidence } from '../trace/keep-evidence.js';
import { judge, type Judgement } from '../verdict/judge.js';
import type { EarlyResult, ScanProgress } from '../report/progress.js';
import { openVisit, type VisitOptions } from '../client/open-visit.js';
import { controlNames } from '../probe/control.js';

/** The visit and context of one scan, closed at its end. */
export interface ScanSession {
  readonly visit: Visit;
  readonly context: CollectContext;
  /** Records which responses each part of the run depends on. Set if evidence is stored. */
  readonly log?: ExchangeLog;
  close(): Promise<void>;
}

export interface ScanDeps {
  readonly checks: readonly Check[];
  /** Default: none. */
  readonly notes?: readonly OwnedNote[];
  readonly clock: Clock;
  readonly openSession: (target: ScanTarget, startedAt: Date) => ScanSession;
  readonly onProgress?: (progress: ScanProgress) => void;
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
  /** The evidence behind its failures, for the verified owner only. Null if it is not stored. */
  readonly evidence: KeptEvidence | null;
}

/**
 * Scans one site: gathers evidence, judges it as it arrives, then scores. Never rejects because of the site.
 * @throws OutOfResources, or OutOfSlots, when evidence is missing because of our own limits; any other rejection is a bug in the scanner
 */
export async function scan(target: ScanTarget, deps: ScanDeps): Promise<ScanReport> {
  const startedAt = deps.clock.now();
  const { checks, notes = [] } = deps;
  const read = kindsOf([...checks, ...notes.map(({ rule: { uses } }) => ({ needs: [], uses }))]);
  // Page evidence reads the sample, so report which chosen pages were read.
  const kinds =
    target.pages && read.some((kind) => READS_SAMPLE.includes(kind))
      ? [...new Set([...read, 'sample' as const])]
      : read;
  const opened = deps.openSession(target, startedAt);
  const pending = new Set(kinds);
  const seen: Partial<EvidenceSet> = {};
  const judged = new Map<Check, Judgement>();
  const reportProgress = (): void => {
    const [reading = null] = pending;
    const total = kinds.length;
    const { requestCount } = opened.visit;
    const results = Array.from(judged.values(), earlyResultOf);
    deps.onProgress?.({ done: total - pending.size, total, requestCount, judged: results, reading });
  };
  /** Judges each check whose evidence is complete. */
  const judgeReady = (): void => {
    for (const check of checks) {
      if (judged.has(check) || ![...check.needs, ...check.uses].every((kind) => kind in seen)) continue;
      judged.set(check, judge(check, seen));
      reportProgress();
    }
  };
  try {
    const evidence = await gather(opened.context, kinds, opened.visit.deadline, (kind, item) => {
      pending.delete(kind);
      Object.assign(seen, { [kind]: item });
      judgeReady();
      reportProgress();
    });
    // Then missing evidence is not the site's fault, and a stored run cannot be corrected.
    if (opened.visit.isLimitedByUs) throw new OutOfSlots(opened.visit.siteRequestCount);
    judgeReady();
    const judgements = checks.flatMap((check) => judged.get(check) ?? []);
    const findings = judgements.map(({ finding }) => finding);
    const { requestCount, siteRequestCount } = opened.visit;
    return {
      score: scoreOf(findings),
      startedAt,
      finishedAt: deps.clock.now(),
      requestCount,
      siteRequestCount,
      findings,
      notes: collectNotes(notes, evidence),
      movedTo: (evidence.home && valueOf(evidence.home)?.move?.hostname) ?? null,
      ...gapOf(evidence),
      gains: gainsOf(checks, findings),
      answer: findAnswer(evidence),
      pages: describePages(target.pages, evidence),
      evidence: opened.log ? keepEvidence(judgements.filter(hasNotPassed), opened.log) : null,
    };
  } finally {
    await opened.close();
  }
}

/** Evidence that is gathered from the sample. */
const READS_SAMPLE: readonly EvidenceKind[] = [
  ...(['sample', 'structuredData', 'markdown', 'agentReplies', 'sameAs', 'apiMetadata'] as const),
  ...(['llms', 'announcedLlms', 'llmsDocument', 'llmsLinks'] as const),
];

/** @param pages the chosen pages; undefined if none were ever chosen */
function describePages(pages: readonly URL[] | undefined, { sample }: Partial<EvidenceSet>): SampledPages | null {
  if (pages === undefined) return null;
  const chosen = sample && valueOf(sample)?.chosen;
  return { chosen: chosen ?? pages.map((page) => ({ path: pathOf(page), came: 'unread' })) };
}

function gapOf({ home }: Partial<EvidenceSet>): Pick<ScanReport, 'gap'> {
  if (!home) return {};
  if ('failed' in home) return home.failed.gap ? { gap: home.failed.gap } : {};
  const { httpsFailure } = home.ok;
  return httpsFailure ? { gap: { failure: httpsFailure.failure } } : {};
}

function earlyResultOf({ finding: { checkId, result, errorType } }: Judgement): EarlyResult {
  return { checkId, result, ...(errorType !== null && { errorType }) };
}

function hasNotPassed({ finding: { result } }: Judgement): boolean {
  return result === 'FAIL' || result === 'UNDETERMINED';
}

function collectNotes(notes: readonly OwnedNote[], evidence: Partial<EvidenceSet>): Note[] {
  const entries = Object.entries(evidence) as [EvidenceKind, Evidence<unknown>][];
  const seen = Object.fromEntries(entries.map(([kind, item]) => [kind, valueOf(item)]));
  return notes.flatMap(({ checkId, rule }) => rule.note(seen, checkId) ?? []);
}

function kindsOf(readers: readonly Pick<Check, 'needs' | 'uses'>[]): EvidenceKind[] {
  return [...new Set(readers.flatMap(({ needs, uses }) => [...needs, ...uses]))];
}

export interface SessionOptions extends VisitOptions {
  /** Set to store the evidence behind findings. */
  readonly log?: ExchangeLog;
}

/** Opens a visit with the context of the collectors. @param controlSeed see {@link controlNames} */
export function openSession(options: SessionOptions, now: Date, controlSeed: string): ScanSession {
  const { target, log, listeners = [] } = options;
  const visit = openVisit(log ? { ...options, watch: log.watch, listeners: [...listeners, log.listen] } : options);
  const context = createContext({
    target,
    visit,
    collectors: COLLECTORS,
    now,
    randomName: controlNames(controlSeed),
    ...(log && { parts: log.parts }),
  });
  return { visit, context, ...(log && { log }), close: () => visit.close() };
}
