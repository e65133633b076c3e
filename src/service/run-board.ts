import type { Clock } from '../domain/clock.js';
import type { ScanProgress } from '../scan/scan.js';
import type { SiteOfAccount } from './sites.js';

/** How a run by hand stands in this process. */
export type LiveRun =
  | { readonly state: 'running'; readonly startedAt: string; readonly progress: ScanProgress }
  /** It ended; kept for a minute so that whoever watched hears of it. */
  | { readonly state: 'finished'; readonly number: number }
  /** A fault of ours or no free slot: `message` is fixed text. The day's run was given back. */
  | { readonly state: 'failed'; readonly message: string };

/** How long the end of a run is told, and of how many runs at most. */
const ENDED_KEPT_MS = 60_000;
const ENDED_KEPT_MAX = 1000;

type RunningRun = Extract<LiveRun, { state: 'running' }>;
type EndedRun = Exclude<LiveRun, RunningRun>;
type Listener = (run: LiveRun) => void;

interface Watched {
  readonly accountId: string;
  readonly listeners: Set<Listener>;
  run: RunningRun;
}

/** How the runs of this process stand, by site. What has ended is dropped when others end or begin: no timer is needed. */
export class RunBoard {
  readonly #running = new Map<string, Watched>();
  /** In the order in which they ended. */
  readonly #ended = new Map<string, { readonly run: EndedRun; readonly keptUntilMs: number }>();

  constructor(private readonly clock: Clock) {}

  isRunning({ accountId, siteId }: SiteOfAccount): boolean {
    return this.#running.get(siteId)?.accountId === accountId;
  }

  begin({ accountId, siteId }: SiteOfAccount): void {
    this.#ended.delete(siteId);
    this.#dropOld();
    const run: RunningRun = {
      state: 'running',
      startedAt: this.clock.now().toISOString(),
      progress: { done: 0, total: 0, requestCount: 0 },
    };
    this.#running.set(siteId, { accountId, listeners: new Set(), run });
  }

  advance(siteId: string, progress: ScanProgress): void {
    const watched = this.#running.get(siteId);
    if (!watched) return;
    watched.run = { ...watched.run, progress };
    tell(watched.listeners, watched.run);
  }

  end(siteId: string, run: EndedRun): void {
    const watched = this.#running.get(siteId);
    this.#running.delete(siteId);
    this.#ended.set(siteId, { run, keptUntilMs: this.clock.now().getTime() + ENDED_KEPT_MS });
    this.#dropOld();
    if (watched) tell(watched.listeners, run);
  }

  find(siteId: string): LiveRun | null {
    this.#dropOld();
    return this.#running.get(siteId)?.run ?? this.#ended.get(siteId)?.run ?? null;
  }

  watch(siteId: string, listener: Listener): () => void {
    const hear: Listener = (run) => {
      listener(run);
    };
    const run = this.find(siteId);
    const listeners = this.#running.get(siteId)?.listeners;
    listeners?.add(hear);
    if (run) tell([hear], run);
    return () => listeners?.delete(hear);
  }

  #dropOld(): void {
    const nowMs = this.clock.now().getTime();
    for (const [siteId, { keptUntilMs }] of this.#ended) {
      if (keptUntilMs > nowMs && this.#ended.size <= ENDED_KEPT_MAX) return;
      this.#ended.delete(siteId);
    }
  }
}

/** A listener that fails, such as one whose connection is gone, must not fail the run. */
function tell(listeners: Iterable<Listener>, run: LiveRun): void {
  for (const listener of [...listeners]) {
    try {
      listener(run);
    } catch {
      continue;
    }
  }
}
