import { Worker } from 'node:worker_threads';
import type { AddressCounts } from '../app/limits/address-exchange.js';
import type { FileTrier } from '../app/free-scan/free-scans.js';
import type { Config } from '../config.js';
import type { Endpoint } from '../net/guard.js';
import type { RefusalReason } from '../net/refusal.js';
import { type StartTimer, startNodeTimer } from '../platform/timer.js';
import { OutOfResources, Starved } from '../scanner/artifacts/out-of-resources.js';
import { SCAN_LIMITS } from '../scanner/artifacts/scanner.js';
import type { Restraint, ScanTarget } from '../scanner/client/visit.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Trial } from '../scanner/scan/overlay-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { Scanner } from '../scanner/scan/scanner.js';
import type { OverlayFile } from '../scanner/trace/overlay.js';

/** What the thread starts with. */
export interface ThreadSettings {
  readonly config: Pick<
    Config,
    'scanAllowCidrs' | 'scanAllowPorts' | 'publicUrl' | 'evidenceDays' | 'signingKey' | 'logLevel'
  >;
  /** Of this package. */
  readonly version: string;
  /** Allowed alongside the operator's exceptions. */
  readonly endpoints: readonly Endpoint[];
  /** Whether other processes scan too. */
  readonly hasPeers: boolean;
}

/** One scan. */
export interface ScanOrder {
  readonly scan: number;
  readonly target: Omit<ScanTarget, 'origin' | 'pages' | 'restraint'> & {
    readonly origin: string;
    readonly pages: readonly string[] | undefined;
    readonly isRestrained: boolean;
  };
  readonly only?: readonly string[] | undefined;
  /** Tried in place of what the site answers at this path. */
  readonly trial?: { readonly pathname: string; readonly file: OverlayFile };
}

/** How a scan ended. An error would lose its class and its fields on the way, and one whose cause cannot be copied would not come at all. */
export type Outcome =
  | { readonly made: ScanReport | Trial }
  | { readonly lack: 'resources' }
  | { readonly lack: 'slots'; readonly siteRequestCount: number }
  | { readonly fault: string };

/** What the thread asks of the service, where other scans and other processes are known. None of it rejects. */
export interface AskedOfService {
  exchange(addresses: readonly string[]): Promise<AddressCounts>;
  takeTurn(scan: number, address: string): number | Promise<number>;
  waitForTurn(scan: number, ms: number): Promise<void>;
  mayAskOther(scan: number, domain: string): Promise<boolean>;
}

/** What the thread tells it. */
export interface ToldToService {
  refused(reason: RefusalReason): void;
  progress(scan: number, progress: ScanProgress): void;
  end(scan: number, outcome: Outcome): void;
}

/** A call of one of these. What is asked has a number, and its answer the same. */
export interface Call<Name extends keyof CalledByThread = keyof CalledByThread> {
  readonly question?: number;
  readonly name: Name;
  readonly args: Parameters<CalledByThread[Name]>;
}
type CalledByThread = AskedOfService & ToldToService;

/** Asks whether the thread is there, and answers that. */
export type Ping = 'ping';

export interface Answer {
  readonly question: number;
  readonly value: unknown;
}

export interface ScanThreadDeps extends Omit<ThreadSettings, 'hasPeers'> {
  /** See {@link AskedOfService}; left out where no other process scans. */
  readonly exchange?: AskedOfService['exchange'] | undefined;
  /** Counts what the guard refuses. */
  readonly onRefused: (reason: RefusalReason) => void;
  /** For tests. */
  readonly program?: URL;
  readonly startTimer?: StartTimer;
}

interface Running {
  readonly worker: Worker;
  readonly onProgress: ((progress: ScanProgress) => void) | undefined;
  readonly restraint: Restraint | undefined;
  readonly resolve: (made: never) => void;
  readonly reject: (error: unknown) => void;
}

/** More than a trial of two scans may take: what ends no more would keep its slot for ever. */
const LATE_MS = 2 * (SCAN_LIMITS.runMs + SCAN_LIMITS.holdMs + SCAN_LIMITS.paceMs) + 30_000;

/** A thread that says nothing for so long, though asked, is stuck in one turn of its loop. No page takes a second of it. */
const SILENT_MS = 20_000;

/** What the scans of a process have to be content with: a heap without end would be collected without end before it is full. */
const HEAP_MIB_MAX = 1024;

const NO_COUNTS: AddressCounts = new Map();

const PROGRAM = new URL('../scan-worker.js', import.meta.url);

/**
 * Performs the scans of a process in one thread of their own: parsing what a site answers may take long, and those who read meanwhile
 * must not notice. The thread starts with the first scan. If it ends by itself, as mostly when its heap is full, or is ended since it is
 * stuck, its scans reject, and the next scan starts another.
 */
export class ScanThread {
  readonly #running = new Map<number, Running>();
  #worker: Worker | null = null;
  #lastScan = 0;

  constructor(private readonly deps: ScanThreadDeps) {}

  readonly scan: Scanner = (target, onProgress, only) => this.#perform<ScanReport>({ only }, target, onProgress);

  readonly tryFile: FileTrier = (target, pathname, file, onProgress) =>
    this.#perform<Trial>({ trial: { pathname, file } }, target, onProgress);

  /** Ends the thread, and with it whatever it still does. */
  async close(): Promise<void> {
    if (this.#worker) await this.#end(this.#worker, undefined);
  }

  #perform<Made>(
    what: Pick<ScanOrder, 'only' | 'trial'>,
    { origin, pages, restraint, ...rest }: ScanTarget,
    onProgress: Running['onProgress'],
  ): Promise<Made> {
    this.#lastScan += 1;
    const scan = this.#lastScan;
    const target = {
      ...{ ...rest, origin: origin.href, pages: pages?.map(({ href }) => href) },
      isRestrained: restraint !== undefined,
    };
    this.#worker ??= this.#start();
    const worker = this.#worker;
    // While it has nothing to do, it keeps no process alive.
    worker.ref();
    let stopTimer = (): void => undefined;
    return new Promise<Made>((resolve, reject) => {
      stopTimer = this.#after(LATE_MS, () => reject(new Error('the scan did not end')));
      this.#running.set(scan, { worker, onProgress, restraint, resolve, reject });
      worker.postMessage({ scan, target, ...what } satisfies ScanOrder);
    }).finally(() => {
      stopTimer();
      this.#running.delete(scan);
      if (!this.#isBusy(worker)) worker.unref();
    });
  }

  #isBusy(worker: Worker): boolean {
    return [...this.#running.values()].some((running) => running.worker === worker);
  }

  #after(ms: number, act: () => void): () => void {
    return (this.deps.startTimer ?? startNodeTimer)(act, ms);
  }

  /** Ends a thread that hears nothing while it has scans. */
  #watch(worker: Worker, isHeard: () => boolean): () => void {
    let stop = (): void => undefined;
    const look = (): void => {
      if (!isHeard() && this.#isBusy(worker)) void this.#end(worker, new Error('it was stuck'));
      else {
        worker.postMessage('ping' satisfies Ping);
        stop = this.#after(SILENT_MS, look);
      }
    };
    stop = this.#after(SILENT_MS, look);
    return () => stop();
  }

  /** The next scan starts another thread, however long this one takes to end. */
  async #end(worker: Worker, cause: unknown): Promise<void> {
    if (this.#worker === worker) this.#worker = null;
    for (const running of this.#running.values()) {
      if (running.worker === worker) running.reject(new Error('the thread of scans ended', { cause }));
    }
    await worker.terminate();
  }

  #start(): Worker {
    const { config, version, endpoints, exchange, program = PROGRAM } = this.deps;
    const { scanAllowCidrs, scanAllowPorts, publicUrl, evidenceDays, signingKey, logLevel } = config;
    const settings: ThreadSettings = {
      config: { scanAllowCidrs, scanAllowPorts, publicUrl, evidenceDays, signingKey, logLevel },
      ...{ version, endpoints, hasPeers: exchange !== undefined },
    };
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MIB_MAX };
    const worker = new Worker(program, { workerData: settings, env: {}, resourceLimits });
    let isHeard = true;
    const end = (cause: unknown): void => void this.#end(worker, cause);
    const answer = async ({ question, name, args }: Call): Promise<void> => {
      const called = this.#called[name] as (...given: unknown[]) => unknown;
      const value = await called(...args);
      if (question !== undefined) worker.postMessage({ question, value } satisfies Answer);
    };
    worker.on('message', (message: Call | Ping) => {
      isHeard = true;
      if (message !== 'ping') answer(message).catch(end);
    });
    const stopWatch = this.#watch(worker, () => {
      const wasHeard = isHeard;
      isHeard = false;
      return wasHeard;
    });
    worker.on('error', end);
    worker.on('messageerror', end);
    worker.on('exit', () => {
      stopWatch();
      end(undefined);
    });
    return worker;
  }

  readonly #called: CalledByThread = {
    exchange: async (addresses) => (await this.deps.exchange?.(addresses)) ?? NO_COUNTS,
    refused: (reason) => this.deps.onRefused(reason),
    progress: (scan, progress) => this.#running.get(scan)?.onProgress?.(progress),
    takeTurn: (scan, address) => this.#running.get(scan)?.restraint?.pace.take(address) ?? 0,
    waitForTurn: async (scan, ms) => this.#running.get(scan)?.restraint?.pace.wait(ms, new AbortController().signal),
    mayAskOther: async (scan, domain) => this.#running.get(scan)?.restraint?.mayAskOther(domain) ?? false,
    end: (scan, outcome) => {
      const { resolve, reject } = this.#running.get(scan) ?? {};
      if ('made' in outcome) resolve?.(outcome.made as never);
      else reject?.(errorOf(outcome));
    },
  };
}

function errorOf(outcome: Exclude<Outcome, { made: unknown }>): Error {
  if ('fault' in outcome) return new Error(outcome.fault);
  return outcome.lack === 'slots' ? new Starved(outcome.siteRequestCount) : new OutOfResources();
}
