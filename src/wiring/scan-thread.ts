import { Worker } from 'node:worker_threads';
import type { FileTrier } from '../app/free-scan/free-scans.js';
import type { AddressCounts } from '../app/limits/address-exchange.js';
import { BoundedMap } from '../net/keyed.js';
import type { RefusalReason } from '../net/refusal.js';
import { ServiceError } from '../platform/errors.js';
import { Slots } from '../platform/slots.js';
import { type StartTimer, startNodeTimer } from '../platform/timer.js';
import { SCAN_LIMITS } from '../scanner/artifacts/scanner.js';
import type { Restraint, ScanTarget } from '../scanner/client/visit.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Trial } from '../scanner/scan/overlay-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { Scanner } from '../scanner/scan/scanner.js';
import {
  type Answer,
  type AskedOfService,
  type Call,
  type CalledByThread,
  errorOf,
  type Ping,
  type Pong,
  type ScanOrder,
  type ThreadSettings,
} from './scan-messages.js';

export interface ScanThreadDeps extends ThreadSettings {
  /** See {@link AskedOfService}; left out where no other process scans. */
  readonly exchange?: AskedOfService['exchange'] | undefined;
  /** Counts what the guard refuses. */
  readonly onRefused: (reason: RefusalReason) => void;
  /** For tests. */
  readonly program?: URL;
  readonly startTimer?: StartTimer;
}

interface Thread {
  readonly worker: Worker;
  /** Which it visits, as it said last. */
  addresses: readonly string[];
  lagS: number;
}

interface Running {
  readonly thread: Thread;
  readonly origin: string;
  /** Neither of some checks only nor with a file put in place of the site's. */
  readonly isWhole: boolean;
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

/** The same of a single scan: no scan needs half of it. */
const LONE_HEAP_MIB_MAX = 256;

/** So many suspects are scanned at a time, each in its thread: one that gets stuck must not hold the others up. */
const LONE_MAX = 3;

/** For so long a suspect waits for those before it: with its scan, less than a process has left once it is told to stop. */
const LONE_WAIT_MS = 30_000;

/** So many suspects are remembered: those of fifty threads at the usual number of scans at a time. */
const SUSPECTS_MAX = 1000;

const PROGRAM = new URL('../scan-worker.js', import.meta.url);

/**
 * Performs the scans of a process in one thread of their own: parsing what a site answers may take long, and those who read meanwhile
 * must not notice. The thread starts with the first scan. If it ends by itself, as mostly when its heap is full, or is ended since it is
 * stuck, its scans reject, and the next scan starts another. Any of their sites may have been the cause: until a whole scan of
 * such a site has been made, its scans have threads to themselves, a few at a time; one that breaks such a thread, too, keeps to them.
 * So a site that breaks each of its scans breaks those of others once only; one that behaves well when it is alone may do so again.
 */
export class ScanThread {
  readonly #threads = new Set<Thread>();
  readonly #running = new Map<number, Running>();
  readonly #suspects = new BoundedMap<string, true>(SUSPECTS_MAX);
  /** The sites whose scan was alone in the thread that it broke. */
  readonly #culprits = new BoundedMap<string, true>(SUSPECTS_MAX);
  readonly #lone: Slots;
  #shared: Thread | null = null;
  #lastScan = 0;

  constructor(private readonly deps: ScanThreadDeps) {
    // Each that waits has a slot of the process already, which bounds how many do.
    this.#lone = new Slots(LONE_MAX, { waitingMax: Infinity, waitMs: LONE_WAIT_MS, startTimer: this.#after });
  }

  readonly scan: Scanner = (target, onProgress, only) => this.#perform<ScanReport>({ only }, target, onProgress);

  readonly tryFile: FileTrier = (target, pathname, file, onProgress) =>
    this.#perform<Trial>({ trial: { pathname, file } }, target, onProgress);

  /** Of the thread that is furthest behind, see {@link Pong}; 0 as long as there is none. */
  get lagS(): number {
    return Math.max(0, ...[...this.#threads].map(({ lagS }) => lagS));
  }

  /** Ends the thread, and with it whatever it still does. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, undefined)));
  }

  /** @throws ServiceError overloaded, with a cause, for a suspect that has to wait too long for those before it */
  #perform<Made>(
    what: Pick<ScanOrder, 'only' | 'trial'>,
    target: ScanTarget,
    onProgress: Running['onProgress'],
  ): Promise<Made> {
    const { href } = target.origin;
    if (!this.#suspects.has(href) && !this.#culprits.has(href)) {
      this.#shared ??= this.#start(HEAP_MIB_MAX);
      return this.#performIn<Made>(this.#shared, what, target, onProgress);
    }
    const perform = async (): Promise<Made> => {
      const thread = this.#start(LONE_HEAP_MIB_MAX);
      try {
        return await this.#performIn<Made>(thread, what, target, onProgress);
      } finally {
        void this.#end(thread, undefined);
      }
    };
    return this.#lone.run(perform, target.party).catch((error: unknown) => {
      // The cause tells it from a scan that found no slot, which is tried again without an end and without a word.
      const cause = new Error('no thread for this scan alone came free in time');
      throw error instanceof ServiceError ? new ServiceError('overloaded', { cause }) : error;
    });
  }

  #performIn<Made>(
    thread: Thread,
    what: Pick<ScanOrder, 'only' | 'trial'>,
    { origin: { href: origin }, pages, restraint, ...rest }: ScanTarget,
    onProgress: Running['onProgress'],
  ): Promise<Made> {
    this.#lastScan += 1;
    const scan = this.#lastScan;
    const target = {
      ...{ ...rest, origin, pages: pages?.map(({ href }) => href) },
      isRestrained: restraint !== undefined,
    };
    const { worker } = thread;
    // While it has nothing to do, it keeps no process alive.
    worker.ref();
    const isWhole = what.only === undefined && what.trial === undefined;
    let stopTimer = (): void => undefined;
    return new Promise<Made>((resolve, reject) => {
      stopTimer = this.#after(() => reject(new Error('the scan did not end')), LATE_MS);
      this.#running.set(scan, { thread, origin, isWhole, onProgress, restraint, resolve, reject });
      worker.postMessage({ scan, target, ...what } satisfies ScanOrder);
    }).finally(() => {
      stopTimer();
      this.#running.delete(scan);
      if (this.#isBusy(thread)) return;
      worker.unref();
      thread.addresses = [];
    });
  }

  #isBusy(thread: Thread): boolean {
    return [...this.#running.values()].some((running) => running.thread === thread);
  }

  readonly #after: StartTimer = (act, ms) => (this.deps.startTimer ?? startNodeTimer)(act, ms);

  /** Ends a thread that hears nothing while it has scans. */
  #watch(thread: Thread, isHeard: () => boolean): () => void {
    let stop = (): void => undefined;
    const look = (): void => {
      if (!isHeard() && this.#isBusy(thread)) void this.#end(thread, new Error('it was stuck'));
      else {
        thread.worker.postMessage('ping' satisfies Ping);
        stop = this.#after(look, SILENT_MS);
      }
    };
    stop = this.#after(look, SILENT_MS);
    return () => stop();
  }

  /** The next scan starts another thread, however long this one takes to end. */
  async #end(thread: Thread, cause: unknown): Promise<void> {
    const isShared = this.#shared === thread;
    if (isShared) this.#shared = null;
    this.#threads.delete(thread);
    for (const running of this.#running.values()) {
      if (running.thread !== thread) continue;
      (isShared ? this.#suspects : this.#culprits).set(running.origin, true);
      running.reject(new Error(isShared ? 'the thread of scans ended' : 'the thread of this scan ended', { cause }));
    }
    await thread.worker.terminate();
  }

  #start(maxOldGenerationSizeMb: number): Thread {
    const { config, version, endpoints, program = PROGRAM } = this.deps;
    const { scanAllowCidrs, scanAllowPorts, publicUrl, evidenceDays, signingKey, logLevel } = config;
    const settings: ThreadSettings = {
      config: { scanAllowCidrs, scanAllowPorts, publicUrl, evidenceDays, signingKey, logLevel },
      ...{ version, endpoints },
    };
    const worker = new Worker(program, { workerData: settings, env: {}, resourceLimits: { maxOldGenerationSizeMb } });
    const thread: Thread = { worker, addresses: [], lagS: 0 };
    this.#threads.add(thread);
    let isHeard = true;
    const end = (cause: unknown): void => void this.#end(thread, cause);
    const called = this.#calledBy(thread);
    const answer = async ({ question, name, args }: Call): Promise<void> => {
      const call = called[name] as (...given: unknown[]) => unknown;
      const value = await call(...args);
      if (question !== undefined) worker.postMessage({ question, value } satisfies Answer);
    };
    worker.on('message', (message: Call | Pong) => {
      isHeard = true;
      if ('lagS' in message) thread.lagS = message.lagS;
      else answer(message).catch(end);
    });
    const stopWatch = this.#watch(thread, () => {
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
    return thread;
  }

  #calledBy(thread: Thread): CalledByThread {
    const running = (scan: number): Running | undefined => this.#running.get(scan);
    return {
      exchange: (addresses) => this.#exchange(thread, addresses),
      refused: (reason) => this.deps.onRefused(reason),
      progress: (scan, progress) => running(scan)?.onProgress?.(progress),
      takeTurn: (scan, address) => running(scan)?.restraint?.pace.take(address) ?? 0,
      waitForTurn: async (scan, ms) => running(scan)?.restraint?.pace.wait(ms, new AbortController().signal),
      mayAskOther: async (scan, domain) => running(scan)?.restraint?.mayAskOther(domain) ?? false,
      end: (scan, outcome) => {
        const { origin = '', isWhole, resolve, reject } = running(scan) ?? {};
        if (!('made' in outcome)) return reject?.(errorOf(outcome));
        if (isWhole) this.#suspects.delete(origin);
        resolve?.(outcome.made as never);
      },
    };
  }

  /** To a thread, the others of its process are as other processes: what scans do at an address, they do in all. */
  async #exchange(thread: Thread, addresses: readonly string[]): Promise<AddressCounts> {
    thread.addresses = addresses;
    const visited = new Set([...this.#threads].flatMap((one) => one.addresses));
    const counts = new Map(await this.deps.exchange?.([...visited]));
    for (const one of this.#threads) {
      if (one === thread) continue;
      for (const address of one.addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
    }
    return counts;
  }
}
