import { type EventLoopUtilization } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { FileTrier } from '../app/context.js';
import type { Config } from '../config.js';
import type { Endpoint } from '../net/guard.js';
import type { RefusalReason } from '../net/url-gate.js';
import type { Logger } from '../platform/logging.js';
import { type StartTimer, startNodeTimer } from '../platform/timer.js';
import { OutOfResources, OutOfSlots } from '../scanner/artifacts/out-of-resources.js';
import { SCAN_LIMITS } from '../scanner/artifacts/scanner.js';
import type { OverlayFile } from '../scanner/client/stand-in.js';
import type { AnonymousLimits, ScanTarget } from '../scanner/client/visit.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Trial } from '../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { Scanner } from '../scanner/scan/scanner.js';
import { type Message, Peer } from './peer.js';

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
export type ScanRequest =
  { readonly only?: readonly string[] } | { readonly pathname: string; readonly file: OverlayFile };

/** How a scan ended. Errors are not copied: they would lose their class and fields. */
export type Outcome =
  | { readonly made: ScanReport | Trial }
  | { readonly lack: 'resources' }
  | { readonly lack: 'slots'; readonly siteRequestCount: number }
  | { readonly fault: string };

/** What the service calls in a scan thread. */
export interface ThreadFunctions {
  scan(scan: number, target: SentTarget, order: ScanRequest): Promise<Outcome>;
  /** Ends the waits for the pace of anonymous scans. */
  releasePace(): void;
}

/** What a scan thread calls in the service. */
export interface ServiceFunctions {
  reserveRequest(scan: number, address: string): number | Promise<number>;
  mayRequestDomain(scan: number, domain: string): Promise<boolean>;
  refused(reason: RefusalReason): void;
  progress(scan: number, progress: ScanProgress): void;
}

export interface ScanThreadOptions extends ThreadSettings {
  readonly heapMibMax: number;
  /** Counts what the guard refuses. */
  readonly onRefused: (reason: RefusalReason) => void;
  readonly logger: Pick<Logger, 'warn'>;
  readonly program?: URL;
  readonly startTimer?: StartTimer;
}

interface Thread {
  readonly worker: Worker;
  readonly peer: Peer<ThreadFunctions>;
  stopTimer: () => void;
}

interface Running {
  readonly onProgress: ((progress: ScanProgress) => void) | undefined;
  readonly anonymousLimits: AnonymousLimits | undefined;
  readonly reject: (error: unknown) => void;
}

/** Longer than a trial of two scans takes. A scan that never ended would keep its slot for ever. */
const SCAN_TIMEOUT_MS = 2 * (SCAN_LIMITS.runMs + SCAN_LIMITS.holdMs + SCAN_LIMITS.paceMs) + 30_000;

/** A thread that has scans and is busy for all of this time is stuck: no page takes a second to parse. */
const STUCK_MS = 20_000;

const PROGRAM = new URL('../scan-worker.js', import.meta.url);

/**
 * Performs scans in a thread, so that parsing delays no reader. The thread starts with the first scan. When it ends, for example with a
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

  readonly tryFile: FileTrier = (target, pathname, file, onProgress) =>
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

  async #perform<Made>(
    { origin, pages, anonymousLimits, ...rest }: ScanTarget,
    onProgress: Running['onProgress'],
    order: ScanRequest,
  ): Promise<Made> {
    this.#lastScan += 1;
    const scan = this.#lastScan;
    const isAnonymous = anonymousLimits !== undefined;
    const target = { ...rest, origin: origin.href, pages: pages?.map(({ href }) => href), isAnonymous };
    const thread = (this.#thread ??= this.#start());
    // An idle thread does not keep the process alive.
    thread.worker.ref();
    const releasePace = (): void => void thread.peer.call('releasePace');
    anonymousLimits?.pace.released.addEventListener('abort', releasePace);
    const { startTimer = startNodeTimer } = this.options;
    let stopTimer = (): void => undefined;
    try {
      const outcome = await new Promise<Outcome>((resolve, reject) => {
        stopTimer = startTimer(() => reject(new Error('the scan did not end')), SCAN_TIMEOUT_MS);
        this.#running.set(scan, { onProgress, anonymousLimits, reject });
        thread.peer.call('scan', scan, target, order).then(resolve, reject);
      });
      if ('made' in outcome) return outcome.made as Made;
      throw toError(outcome);
    } finally {
      stopTimer();
      anonymousLimits?.pace.released.removeEventListener('abort', releasePace);
      this.#running.delete(scan);
      if (this.#running.size === 0) thread.worker.unref();
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
    const peer = new Peer<ThreadFunctions>((message) => worker.postMessage(message), this.#functions());
    const thread: Thread = { worker, peer, stopTimer: () => undefined };
    const end = (cause: unknown): void => void this.#end(thread, cause);
    worker.on('message', (message: Message) => void peer.receive(message).catch(end));
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
      if (this.#running.size > 0 && busySince?.idle === idle) void this.#end(thread, new Error('it was stuck'));
      else this.#watch(thread, this.#running.size > 0 ? { idle } : null);
    }, STUCK_MS);
  }

  /** A worker can emit `error` and `exit` in one turn: only the first ends it. */
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

  #functions(): ServiceFunctions {
    const findLimits = (scan: number): AnonymousLimits | undefined => this.#running.get(scan)?.anonymousLimits;
    return {
      reserveRequest: (scan, address) => findLimits(scan)?.pace.reserve(address) ?? 0,
      mayRequestDomain: async (scan, domain) => findLimits(scan)?.mayRequestDomain(domain) ?? false,
      refused: (reason) => this.options.onRefused(reason),
      progress: (scan, progress) => {
        // A listener that throws must not end the thread and all its scans.
        try {
          this.#running.get(scan)?.onProgress?.(progress);
        } catch (cause) {
          this.options.logger.warn({ cause }, 'progress listener failed');
        }
      },
    };
  }
}

function toError(outcome: Exclude<Outcome, { made: unknown }>): Error {
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
    /** Of the busier thread. */
    measureBusyShare: (): number => Math.max(accounts.measureBusyShare(), free.measureBusyShare()),
    close: async (): Promise<void> => {
      await Promise.all([accounts.close(), free.close()]);
    },
  };
}
