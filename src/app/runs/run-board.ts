import type { Clock } from '../../platform/clock.js';
import { NO_PROGRESS, type ScanProgress } from '../../scanner/scan/scan.js';
import { Listeners, tellOne } from '../../platform/listeners.js';
import type { SiteOfAccount } from '../sites/sites.js';

/** How a run by hand stands. */
export type LiveRun =
  /** Of one in the hand of another process the progress is not known: it stays at its beginning. */
  | { readonly state: 'running'; readonly startedAt: string; readonly progress: ScanProgress }
  /** It ended; kept for a minute so that whoever watched hears of it. Without a number it was another process's. */
  | { readonly state: 'finished'; readonly number: number | null }
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
  readonly listeners: Listeners<LiveRun>;
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
    const startedAt = this.clock.now().toISOString();
    const run: RunningRun = { state: 'running', startedAt, progress: NO_PROGRESS };
    this.#running.set(siteId, { accountId, listeners: new Listeners(), run });
  }

  advance(siteId: string, progress: ScanProgress): void {
    const watched = this.#running.get(siteId);
    if (!watched) return;
    watched.run = { ...watched.run, progress };
    watched.listeners.tell(watched.run);
  }

  end(siteId: string, run: EndedRun): void {
    const watched = this.#running.get(siteId);
    this.#running.delete(siteId);
    this.#ended.set(siteId, { run, keptUntilMs: this.clock.now().getTime() + ENDED_KEPT_MS });
    this.#dropOld();
    watched?.listeners.tell(run);
  }

  find(siteId: string): LiveRun | null {
    this.#dropOld();
    return this.#running.get(siteId)?.run ?? this.#ended.get(siteId)?.run ?? null;
  }

  /** Tells the listener at once how the run stands, then of each step; null where no run is known. */
  watch(siteId: string, listener: Listener): (() => void) | null {
    const run = this.find(siteId);
    if (!run) return null;
    const stop = this.#running.get(siteId)?.listeners.add(listener);
    tellOne(listener, run);
    return stop ?? (() => undefined);
  }

  #dropOld(): void {
    const nowMs = this.clock.now().getTime();
    for (const [siteId, { keptUntilMs }] of this.#ended) {
      if (keptUntilMs > nowMs && this.#ended.size <= ENDED_KEPT_MAX) return;
      this.#ended.delete(siteId);
    }
  }
}
