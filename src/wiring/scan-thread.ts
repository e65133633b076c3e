import { Worker } from 'node:worker_threads';
import type { FileTrier } from '../app/context.js';
import type { Config } from '../config.js';
import type { Endpoint } from '../net/guard.js';
import type { RefusalReason } from '../net/refusal.js';
import type { Logger } from '../platform/logging.js';
import { type StartTimer, startNodeTimer } from '../platform/timer.js';
import { OutOfResources, OutOfSlots } from '../scanner/artifacts/out-of-resources.js';
import { SCAN_LIMITS } from '../scanner/artifacts/scanner.js';
import type { OverlayFile } from '../scanner/client/stand-in.js';
import type { AnonymousLimits, ScanTarget } from '../scanner/client/visit.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Trial } from '../scanner/scan/overlay-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { Scanner } from '../scanner/scan/scanner.js';
import { type Message, Peer } from './peer.js';

/** The settings of a scan thread. */
export interface ThreadSettings {
  readonly config: Pick<Config, 'scanAllowCidrs' | 'scanAllowPorts' | 'publicUrl' | 'evidenceDays' | 'logLevel'>;
  readonly version: string;
  /** Allowed besides the operator's exceptions. */
  readonly endpoints: readonly Endpoint[];
}

/** A scan target that can be copied between threads. */
export interface SentTarget extends Omit<ScanTarget, 'origin' | 'pages' | 'anonymousLimits'> {
  readonly origin: string;
  readonly pages: readonly string[] | undefined;
  readonly isAnonymous: boolean;
}

/** How a scan ended. Errors are not copied: they would lose their class and fields. */
export type Outcome =
  | { readonly made: ScanReport | Trial }
  | { readonly lack: 'resources' }
  | { readonly lack: 'slots'; readonly siteRequestCount: number }
  | { readonly fault: string };

/** What the service calls in a scan thread. */
export interface ThreadFunctions {
  scan(scan: number, target: SentTarget, only: readonly string[] | undefined): Promise<Outcome>;
  tryFile(scan: number, target: SentTarget, pathname: string, file: OverlayFile): Promise<Outcome>;
  /** Ends the waits for the pace of anonymous scans. */
  releasePace(): void;
  /** Returns the 99th percentile of the event loop's delay since the last call, in seconds. */
  ping(): number;
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
  lagS: number;
  stopTimer: () => void;
}

interface Running {
  readonly onProgress: ((progress: ScanProgress) => void) | undefined;
  readonly anonymousLimits: AnonymousLimits | undefined;
  readonly reject: (error: unknown) => void;
}

/** Longer than a trial of two scans takes. A scan that never ended would keep its slot for ever. */
const SCAN_TIMEOUT_MS = 2 * (SCAN_LIMITS.runMs + SCAN_LIMITS.holdMs + SCAN_LIMITS.paceMs) + 30_000;

/** A thread that does not answer a ping for this long is stuck: no page takes a second to parse. */
const PING_EVERY_MS = 20_000;

const PROGRAM = new URL('../scan-worker.js', import.meta.url);

/**
 * Performs scans in a thread, so that parsing delays no reader. The thread starts with the first scan. When it ends, for example with a
 * full heap, its scans reject, and the next scan starts another thread.
 */
export class ScanThread {
  readonly #running = new Map<number, Running>();
  readonly #startTimer: StartTimer;
  #thread: Thread | null = null;
  #lastScan = 0;

  constructor(private readonly options: ScanThreadOptions) {
    this.#startTimer = options.startTimer ?? startNodeTimer;
  }

  readonly scan: Scanner = (target, onProgress, only) =>
    this.#perform<ScanReport>(target, onProgress, (peer, scan, sent) => peer.call('scan', scan, sent, only));

  readonly tryFile: FileTrier = (target, pathname, file, onProgress) =>
    this.#perform<Trial>(target, onProgress, (peer, scan, sent) => peer.call('tryFile', scan, sent, pathname, file));

  /** See {@link ThreadFunctions.ping}; 0 without a thread. */
  get lagS(): number {
    return this.#thread?.lagS ?? 0;
  }

  /** Ends the thread; its scans reject. */
  async close(): Promise<void> {
    if (this.#thread) await this.#end(this.#thread, undefined);
  }

  #perform<Made>(
    { origin, pages, anonymousLimits, ...rest }: ScanTarget,
    onProgress: Running['onProgress'],
    order: (peer: Peer<ThreadFunctions>, scan: number, target: SentTarget) => Promise<Outcome>,
  ): Promise<Made> {
    this.#lastScan += 1;
    const scan = this.#lastScan;
    const target = {
      ...rest,
      origin: origin.href,
      pages: pages?.map(({ href }) => href),
      isAnonymous: anonymousLimits !== undefined,
    };
    this.#thread ??= this.#start();
    const { worker, peer } = this.#thread;
    // An idle thread does not keep the process alive.
    worker.ref();
    const releasePace = (): void => void peer.call('releasePace');
    anonymousLimits?.pace.released.addEventListener('abort', releasePace);
    let stopTimer = (): void => undefined;
    return new Promise<Made>((resolve, reject) => {
      stopTimer = this.#startTimer(() => reject(new Error('the scan did not end')), SCAN_TIMEOUT_MS);
      this.#running.set(scan, { onProgress, anonymousLimits, reject });
      order(peer, scan, target)
        .then((outcome) => ('made' in outcome ? resolve(outcome.made as Made) : reject(toError(outcome))))
        .catch(reject);
    }).finally(() => {
      stopTimer();
      anonymousLimits?.pace.released.removeEventListener('abort', releasePace);
      this.#running.delete(scan);
      if (this.#running.size === 0) worker.unref();
    });
  }

  #start(): Thread {
    const { config, version, endpoints, heapMibMax, program = PROGRAM } = this.options;
    const { scanAllowCidrs, scanAllowPorts, publicUrl, evidenceDays, logLevel } = config;
    const settings: ThreadSettings = {
      config: { scanAllowCidrs, scanAllowPorts, publicUrl, evidenceDays, logLevel },
      version,
      endpoints,
    };
    const resourceLimits = { maxOldGenerationSizeMb: heapMibMax };
    const worker = new Worker(program, { workerData: settings, env: {}, resourceLimits });
    const peer = new Peer<ThreadFunctions>((message) => worker.postMessage(message), this.#functions());
    const thread: Thread = { worker, peer, lagS: 0, stopTimer: () => undefined };
    const end = (cause: unknown): void => void this.#end(thread, cause);
    worker.on('message', (message: Message) => void peer.receive(message).catch(end));
    worker.on('error', end);
    worker.on('messageerror', end);
    worker.on('exit', () => end(undefined));
    this.#watch(thread);
    return thread;
  }

  /** Pings the thread, and ends it if it has scans but did not answer the last ping. */
  #watch(thread: Thread, isAnswered = (): boolean => true): void {
    thread.stopTimer = this.#startTimer(() => {
      if (!isAnswered() && this.#running.size > 0) {
        void this.#end(thread, new Error('it was stuck'));
        return;
      }
      let answered = false;
      void thread.peer.call('ping').then((lagS) => {
        answered = true;
        thread.lagS = lagS;
      });
      this.#watch(thread, () => answered);
    }, PING_EVERY_MS);
  }

  /** A worker can emit `error` and `exit` in one turn: only the first ends it. */
  async #end(thread: Thread, cause: unknown): Promise<void> {
    thread.stopTimer();
    if (this.#thread === thread) {
      this.#thread = null;
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
      progress: (scan, progress) => this.#report(scan, progress),
    };
  }

  /** A listener that throws must not end the thread and all its scans. */
  #report(scan: number, progress: ScanProgress): void {
    try {
      this.#running.get(scan)?.onProgress?.(progress);
    } catch (cause) {
      this.options.logger.warn({ cause }, 'progress listener failed');
    }
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
    /** The lag of the slower thread. */
    lagS: (): number => Math.max(accounts.lagS, free.lagS),
    close: async (): Promise<void> => {
      await Promise.all([accounts.close(), free.close()]);
    },
  };
}
