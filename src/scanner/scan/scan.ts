import type { Check } from '../verdict/check.js';
import type { Clock } from './clock.js';
import type { SampledPages } from '../artifacts/chosen-pages.js';
import { type Evidence, type EvidenceKind, type EvidenceSet, valueOf } from '../artifacts/evidence.js';
import type { Finding } from '../verdict/finding.js';
import type { KeptEvidence } from '../trace/kept-evidence.js';
import type { Gain } from '../report/gain.js';
import { Starved } from '../artifacts/out-of-resources.js';
import { scoreOf } from '../report/score.js';
import { EventLoopYielder } from '../../net/event-loop.js';
import type { CollectContext } from '../probe/collector.js';
import type { Note } from '../verdict/note.js';
import type { OwnedNote } from '../verdict/note-rule.js';
import { gather } from '../gatherers/gather.js';
import type { ScanTarget, Visit } from '../client/visit.js';
import { sampledPages } from '../report/found-on.js';
import { gainsOf } from '../report/gains-of.js';
import type { ExchangeLog } from '../trace/exchanges.js';
import { keepEvidence } from '../trace/keep-evidence.js';
import type { Judgement } from '../verdict/judge.js';
import type { EarlyResult, ScanProgress } from '../report/progress.js';
import { Judging } from './judging.js';

/** One visit and the context around it, opened for one scan and closed after it. */
export interface ScanSession {
  readonly visit: Visit;
  readonly context: CollectContext;
  /** Which answers each part of the run depends on, if evidence is to be kept. */
  readonly log?: ExchangeLog;
  close(): Promise<void>;
}

export interface ScanDeps {
  readonly checks: readonly Check[];
  /** By default none. */
  readonly notes?: readonly OwnedNote[];
  readonly clock: Clock;
  readonly openSession: (target: ScanTarget, startedAt: Date) => ScanSession;
  readonly onProgress?: (progress: ScanProgress) => void;
  /** Decides when judging yields to other work of the process; by default, by elapsed time. */
  readonly yielder?: EventLoopYielder;
}

export interface ScanReport {
  /** 0 to 100, or null when nothing scorable could be determined. */
  readonly score: number | null;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** How many requests were made, also those that nothing could be sent for. */
  readonly requestCount: number;
  /** How many of them were sent to the site itself, rather than to nobody or to sites of others. */
  readonly siteRequestCount: number;
  /** One per check, in registry order. */
  readonly findings: readonly Finding[];
  /** Advice alongside the findings. */
  readonly notes: readonly Note[];
  /** The host that the site has moved to, in its own words: see {@link SiteMove}. */
  readonly movedTo: string | null;
  /** What fixing each failure would add to the score, in registry order. */
  readonly gains: readonly Gain[];
  /** Which pages it has looked at: null where nobody has ever chosen any. The chosen ones are their words who chose them. */
  readonly pages: SampledPages | null;
  /** The evidence behind its failures: for the verified owner of the site alone. Null unless it was to be kept. */
  readonly evidence: KeptEvidence | null;
}

/**
 * Scans one site: gather, and judge what has come → score. Never rejects because of the site.
 * @throws OutOfResources, or Starved, when evidence is missing because of our own limits; any other rejection is a bug in the scanner
 */
export async function scan(target: ScanTarget, deps: ScanDeps): Promise<ScanReport> {
  const startedAt = deps.clock.now();
  const { checks, notes = [] } = deps;
  const kinds = kindsOf([...checks, ...notes.map(({ rule: { uses } }) => ({ needs: [], uses }))]);
  const opened = deps.openSession(target, startedAt);
  const pending = new Set(kinds);
  const judged: EarlyResult[] = [];
  const tell = (): void => {
    const [reading = null] = pending;
    const total = kinds.length;
    const { requestCount } = opened.visit;
    deps.onProgress?.({ done: total - pending.size, total, requestCount, judged: [...judged], reading });
  };
  const onJudged = (early: EarlyResult): void => {
    judged.push(early);
    tell();
  };
  try {
    const judging = new Judging(checks, onJudged, deps.yielder);
    const evidence = await gather(opened.context, kinds, opened.visit.deadline, (kind, item) => {
      pending.delete(kind);
      judging.settle(kind, item);
      tell();
    });
    // What is missing then is not a fault of the site's, and a run is kept for good.
    if (opened.visit.isStarved) throw new Starved(opened.visit.siteRequestCount);
    const judgements = await judging.end();
    const findings = judgements.map(({ finding }) => finding);
    const { requestCount, siteRequestCount } = opened.visit;
    return {
      score: scoreOf(findings),
      startedAt,
      finishedAt: deps.clock.now(),
      requestCount,
      siteRequestCount,
      findings,
      notes: takeNotes(notes, evidence),
      movedTo: (evidence.home && valueOf(evidence.home)?.move?.hostname) ?? null,
      gains: gainsOf(checks, findings, evidence),
      pages: await sampledPages(target.pages, judgements, evidence, deps.yielder ?? new EventLoopYielder()),
      evidence: opened.log ? await keepEvidence(judgements.filter(isUnpassed), opened.log) : null,
    };
  } finally {
    await opened.close();
  }
}

function isUnpassed({ finding: { result } }: Judgement): boolean {
  return result === 'FAIL' || result === 'UNDETERMINED';
}

function takeNotes(notes: readonly OwnedNote[], evidence: Partial<EvidenceSet>): Note[] {
  const entries = Object.entries(evidence) as [EvidenceKind, Evidence<unknown>][];
  const seen = Object.fromEntries(entries.map(([kind, item]) => [kind, valueOf(item)]));
  return notes.flatMap(({ checkId, rule }) => rule.note(seen, checkId) ?? []);
}

function kindsOf(readers: readonly Pick<Check, 'needs' | 'uses'>[]): EvidenceKind[] {
  return [...new Set(readers.flatMap(({ needs, uses }) => [...needs, ...uses]))];
}
