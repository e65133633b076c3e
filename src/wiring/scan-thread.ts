import { type EventLoopUtilization } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { TryFile } from '../app/context.js';
import type { Config } from '../config.js';
import type { Endpoint } from '../net/guard.js';
import type { RefusalReason } from '../net/url-gate.js';
import { type StartTimer, startNodeTimer } from '../platform/timer.js';
import { OutOfResources, OutOfSlots } from '../scanner/artifacts/resource.js';
import { SCAN_LIMITS } from '../scanner/artifacts/scanner.js';
import type { OverlayFile } from '../scanner/client/stand-in.js';
import type { AnonymousLimits, ScanTarget } from '../scanner/client/visit.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Trial } from '../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { Scanner } from '../scanner/scan/scanner.js';

/** The settings of a scan thread. */
export interface ThreadSettings {
  readonly config: Pick<Config, 'scanAllowCidrs' | 'scanAllowPorts' | 'publicUrl' | 'evidenceDays' | 'logLevel'>;
  /** Allowed besides the operator's exceptions. */
  readonly endpoints: readonly Endpoint[];
}

/** A scan target that can be copied between threads. */
export interface SentTarget extends Omit<ScanTarget, 'origin' | 'pages' | 'anonymousLimits'> {
  readonly origin: string;
  readonly pages: readonly string[] | undefined;
  readonly isAnonymous: boolean;
}

/** A scan of these checks (by default of all), or one as if this file were served at this path. */
export type ScanOrder =
  { readonly only?: readonly string[] } | { readonly pathname: string; readonly file: OverlayFile };

/** How a scan ended. Errors are not copied: they would lose their class and fields. */
export type Outcome =
  | { readonly result: ScanReport | Trial }
  | { readonly lack: 'resources' }
  | { readonly lack: 'slots'; readonly siteRequestCount: number }
  | { readonly fault: string };

/** A question of a free scan: how long to wait before a request to this address, or whether this domain may get one. */
export type Question = { readonly address: string } | { readonly domain: string };

export type MessageToThread =
  | { readonly scan: number; readonly target: SentTarget; readonly order: ScanOrder }
  | { readonly question: number; readonly answer: number | boolean }
  // Ends all waits for the pace of free scans.
  | 'release pace';

export type MessageFromThread =
  | { readonly scan: number; readonly outcome: Outcome }
  | { readonly scan: number; readonly progress: ScanProgress }
  | { readonly scan: number; readonly question: number; readonly asked: Question }
  | { readonly refused: RefusalReason };

export interface ScanThreadOptions extends ThreadSettings {
  readonly heapMibMax: number;
  /** Counts what the guard refuses. */
  readonly onRefused: (reason: RefusalReason) => void;
  readonly program?: URL;
  readonly startTimer?: StartTimer;
}

interface Thread {
  readonly worker: Worker;
  stopTimer: () => void;
}

interface Running {
  readonly onProgress: ((progress: ScanProgress) => void) | undefined;
  readonly anonymousLimits: AnonymousLimits | undefined;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Longer than a trial of two scans takes. A scan that never ended would keep its slot for ever. */
const SCAN_TIMEOUT_MS = 2 * (SCAN_LIMITS.runMs + SCAN_LIMITS.holdMs + SCAN_LIMITS.paceMs) + 30_000;

/** A thread that has scans and is busy for all of this time is stuck: no page takes a second to parse. */
const STUCK_MS = 20_000;

const PROGRAM = new URL('../scan-worker.js', import.meta.url);

/**
 * Performs scans in a thread, so that parsing never delays a response. The thread starts with the first scan. When it ends, for example with a
 * full heap, its scans reject, and the next scan starts another thread.
 */
export class ScanThread {
  readonly #running = new Map<number, Running>();
  #thread: Thread | null = null;
  #lastScan = 0;
  #measured: EventLoopUtilization | undefined;

  constructor(private readonly options: ScanThreadOptions) {}

  readonly scan: Scanner = (target, onProgress, only) =>
    this.#perform<ScanReport>(target, onProgress, only ? { only } : {});

  readonly tryFile: TryFile = (target, pathname, file, onProgress) =>
    this.#perform<Trial>(target, onProgress, { pathname, file });

  /** Measures the share of the time since the last call in which the thread was busy; 0 without a thread. */
  measureBusyShare(): number {
    const previous = this.#measured;
    this.#measured = this.#thread?.worker.performance.eventLoopUtilization();
    const { active = 0, idle = 0 } = this.#measured ?? {};
    const [activeMs, idleMs] = [active - (previous?.active ?? 0), idle - (previous?.idle ?? 0)];
    return activeMs > 0 ? activeMs / (activeMs + idleMs) : 0;
  }

  /** Ends the thread; its scans reject. */
  async close(): Promise<void> {
    if (this.#thread) await this.#end(this.#thread, undefined);
  }

  async #perform<Result>(
    { origin, pages, anonymousLimits, ...rest }: ScanTarget,
    onProgress: Running['onProgress'],
    order: ScanOrder,
  ): Promise<Result> {
    this.#lastScan += 1;
    const scan = this.#lastScan;
    const isAnonymous = anonymousLimits !== undefined;
    const target = { ...rest, origin: origin.href, pages: pages?.map(({ href }) => href), isAnonymous };
    const thread = (this.#thread ??= this.#start());
    const { worker } = thread;
    // An idle thread does not keep the process alive.
    worker.ref();
    const releasePace = (): void => send(worker, 'release pace');
    anonymousLimits?.pace.released.addEventListener('abort', releasePace);
    const { startTimer = startNodeTimer } = this.options;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const stopTimer = startTimer(() => reject(new Error('the scan did not end')), SCAN_TIMEOUT_MS);
    try {
      this.#running.set(scan, { onProgress, anonymousLimits, resolve, reject });
      send(worker, { scan, target, order });
      const outcome = await promise;
      if ('result' in outcome) return outcome.result as Result;
      throw toError(outcome);
    } finally {
      stopTimer();
      anonymousLimits?.pace.released.removeEventListener('abort', releasePace);
      this.#running.delete(scan);
      if (this.#running.size === 0 && this.#thread === thread) worker.unref();
    }
  }

  #start(): Thread {
    const { config, endpoints, heapMibMax, program = PROGRAM } = this.options;
    const { scanAllowCidrs, scanAllowPorts, publicUrl, evidenceDays, logLevel } = config;
    const settings: ThreadSettings = {
      config: { scanAllowCidrs, scanAllowPorts, publicUrl, evidenceDays, logLevel },
      endpoints,
    };
    const resourceLimits = { maxOldGenerationSizeMb: heapMibMax };
    const worker = new Worker(program, { workerData: settings, env: {}, resourceLimits });
    const thread: Thread = { worker, stopTimer: () => undefined };
    const end = (cause: unknown): void => void this.#end(thread, cause);
    worker.on('message', (message: MessageFromThread) => void this.#receive(worker, message).catch(end));
    worker.on('error', end);
    worker.on('messageerror', end);
    worker.on('exit', () => end(undefined));
    this.#watch(thread);
    return thread;
  }

  /** Ends the thread once it has had scans but no idle moment since the last check. */
  #watch(thread: Thread, busySince: { readonly idle: number } | null = null): void {
    const { startTimer = startNodeTimer } = this.options;
    thread.stopTimer = startTimer(() => {
      const { idle } = thread.worker.performance.eventLoopUtilization();
      if (this.#running.size > 0 && busySince?.idle === idle)
        void this.#end(thread, new Error('the scan thread was stuck'));
      else this.#watch(thread, this.#running.size > 0 ? { idle } : null);
    }, STUCK_MS);
  }

  /** Ends a thread once: a worker can emit both `error` and `exit`. */
  async #end(thread: Thread, cause: unknown): Promise<void> {
    thread.stopTimer();
    if (this.#thread === thread) {
      this.#thread = null;
      this.#measured = undefined;
      for (const { reject } of this.#running.values()) reject(new Error('the scan thread ended', { cause }));
      this.#running.clear();
    }
    await thread.worker.terminate();
  }

  async #receive(worker: Worker, message: MessageFromThread): Promise<void> {
    if ('refused' in message) {
      this.options.onRefused(message.refused);
      return;
    }
    const running = this.#running.get(message.scan);
    if ('outcome' in message) running?.resolve(message.outcome);
    else if ('progress' in message) running?.onProgress?.(message.progress);
    else {
      const { question, asked } = message;
      const limits = running?.anonymousLimits;
      const answer = await ('address' in asked
        ? limits?.pace.reserve(asked.address)
        : limits?.mayRequestDomain(asked.domain));
      send(worker, { question, answer: answer ?? 0 });
    }
  }
}

function send(worker: Worker, message: MessageToThread): void {
  worker.postMessage(message);
}

function toError(outcome: Exclude<Outcome, { result: unknown }>): Error {
  if ('fault' in outcome) return new Error(outcome.fault);
  return outcome.lack === 'slots' ? new OutOfSlots(outcome.siteRequestCount) : new OutOfResources();
}

/** Heap limits: without one, V8 would collect garbage without end before the process runs out of memory. */
const ACCOUNTS_HEAP_MIB_MAX = 1024;
const FREE_SCANS_HEAP_MIB_MAX = 512;

/** Two threads, one for scans of accounts and one for free scans, so that a visitor's scan cannot break a customer's run. */
export function createScanThreads(options: Omit<ScanThreadOptions, 'heapMibMax'>) {
  const accounts = new ScanThread({ ...options, heapMibMax: ACCOUNTS_HEAP_MIB_MAX });
  const free = new ScanThread({ ...options, heapMibMax: FREE_SCANS_HEAP_MIB_MAX });
  return {
    scan: accounts.scan,
    scanFree: free.scan,
    tryFree: free.tryFile,
    /** Returns the share of the busier thread. */
    measureBusyShare: (): number => Math.max(accounts.measureBusyShare(), free.measureBusyShare()),
    close: async (): Promise<void> => {
      await Promise.all([accounts.close(), free.close()]);
    },
  };
}
