import { once } from 'node:events';
import type { EventLoopUtilization } from 'node:perf_hooks';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { TryFile } from '../app/context.js';
import type { Config } from '../config.js';
import type { Endpoint } from '../net/guard.js';
import type { RefusalReason } from '../net/url-gate.js';
import { ServiceError } from '../platform/errors.js';
import { startNodeTimer, type StartTimer } from '../platform/clock.js';
import { OutOfResources, OutOfSlots } from '../scanner/artifacts/resource.js';
import { SCAN_LIMITS } from '../scanner/artifacts/scanner.js';
import type { OverlayFile } from '../scanner/client/stand-in.js';
import type { AnonymousLimits, ScanTarget } from '../scanner/client/visit.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { OverlayComparison } from '../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { Scanner } from '../scanner/scan/scanner.js';

export interface ThreadSettings {
  readonly config: Pick<Config, 'scanAllowCidrs' | 'scanAllowPorts' | 'publicUrl' | 'evidenceDays' | 'logLevel'>;
  /** Allowed in addition to the operator's exceptions. */
  readonly endpoints: readonly Endpoint[];
}

/** A scan for the thread to perform. URLs are texts, since URL objects cannot be copied between threads. */
export interface ScanRequest {
  /** Carries the messages about this scan. The thread receives at most one, which ends all waits for the pace of free scans. */
  readonly port: MessagePort;
  readonly target: Omit<ScanTarget, 'origin' | 'pages' | 'anonymousLimits'>;
  readonly origin: string;
  readonly pages: readonly string[] | undefined;
  readonly isAnonymous: boolean;
  /** Ids of the checks to run; by default all. */
  readonly only?: readonly string[] | undefined;
  /** Set to scan the site as it is, and as if it served this file. */
  readonly trialFile?: { readonly pathname: string; readonly file: OverlayFile };
}

/** How a scan ended. Errors are not copied: they would lose their class and fields. */
export type Outcome =
  | { readonly result: ScanReport | OverlayComparison }
  | { readonly exhausted: 'resources' }
  | { readonly exhausted: 'slots'; readonly siteRequestCount: number }
  | { readonly fault: string };

/** Asks how long a free scan must wait before a request to this address, or whether this domain may get a request. */
type Question = { readonly address: string } | { readonly domain: string };

export type ScanMessage = { readonly outcome: Outcome } | { readonly progress: ScanProgress } | QuestionMessage;

interface QuestionMessage {
  readonly question: Question;
  readonly replyPort: MessagePort;
}

export interface ScanThreadOptions extends ThreadSettings {
  readonly heapMibMax: number;
  /** Called whenever the guard refuses a target. */
  readonly onRefused: (reason: RefusalReason) => void;
  readonly program?: URL;
  readonly startTimer?: StartTimer;
}

interface Thread {
  readonly worker: Worker;
  /** Rejects each running scan. */
  readonly running: Set<(error: unknown) => void>;
  stopTimer: () => void;
}

/** Longer than a trial of two scans takes. A scan that never ended would occupy its slot forever. */
const SCAN_TIMEOUT_MS = 2 * (SCAN_LIMITS.runMs + SCAN_LIMITS.slotWaitMs + SCAN_LIMITS.paceMs) + 30_000;

/** A thread with scans that is busy for this long without a pause is stuck: no page takes a second to parse. */
const STUCK_MS = 20_000;

const PROGRAM = new URL('../scan-worker.js', import.meta.url);

/**
 * Performs scans in a thread, so that parsing never delays a response. The thread starts with the first scan. When it ends, for example with a
 * full heap, its scans reject and the next scan starts another thread. A scan that lost evidence because of our own limits rejects
 * with `overloaded`.
 */
export class ScanThread {
  #thread: Thread | null = null;
  #measured: EventLoopUtilization | undefined;

  constructor(private readonly options: ScanThreadOptions) {}

  readonly scan: Scanner = (target, onProgress, only) => this.#perform<ScanReport>(target, onProgress, { only });

  readonly tryFile: TryFile = (target, pathname, file, onProgress) =>
    this.#perform<OverlayComparison>(target, onProgress, { trialFile: { pathname, file } });

  /** Returns the share of the time since the last call that the thread was busy; 0 without a thread. */
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
    { origin, pages, anonymousLimits, ...target }: ScanTarget,
    onProgress: ((progress: ScanProgress) => void) | undefined,
    options: Pick<ScanRequest, 'only' | 'trialFile'>,
  ): Promise<Result> {
    const { worker, running } = (this.#thread ??= this.#start());
    const { startTimer = startNodeTimer } = this.options;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    // An open port keeps the process alive.
    const { port1: port, port2 } = new MessageChannel();
    const receive = async (message: ScanMessage): Promise<void> => {
      if ('outcome' in message) resolve(message.outcome);
      else if ('progress' in message) onProgress?.(message.progress);
      else if (anonymousLimits) await answerQuestion(message, anonymousLimits);
    };
    // An error in a listener fails only its own scan.
    port.on('message', (message: ScanMessage) => void receive(message).catch(reject));
    port.on('messageerror', reject);
    const releasePace = (): void => port.postMessage(null);
    anonymousLimits?.pace.released.addEventListener('abort', releasePace);
    const stopTimer = startTimer(() => reject(new Error('the scan did not end')), SCAN_TIMEOUT_MS);
    running.add(reject);
    try {
      const urls = { origin: origin.href, pages: pages?.map(({ href }) => href) };
      const isAnonymous = anonymousLimits !== undefined;
      worker.postMessage({ port: port2, target, ...urls, isAnonymous, ...options } satisfies ScanRequest, [port2]);
      const outcome = await promise;
      if ('result' in outcome) return outcome.result as Result;
      throw toError(outcome);
    } finally {
      stopTimer();
      anonymousLimits?.pace.released.removeEventListener('abort', releasePace);
      running.delete(reject);
      port.close();
    }
  }

  #start(): Thread {
    const { config, endpoints, heapMibMax, onRefused, program = PROGRAM } = this.options;
    const { scanAllowCidrs, scanAllowPorts, publicUrl, evidenceDays, logLevel } = config;
    const settings: ThreadSettings = {
      config: { scanAllowCidrs, scanAllowPorts, publicUrl, evidenceDays, logLevel },
      endpoints,
    };
    const resourceLimits = { maxOldGenerationSizeMb: heapMibMax };
    const worker = new Worker(program, { workerData: settings, env: {}, resourceLimits });
    worker.unref();
    const thread: Thread = { worker, running: new Set(), stopTimer: () => undefined };
    const end = (cause: unknown): void => void this.#end(thread, cause);
    worker.on('message', (reason: RefusalReason) => {
      try {
        onRefused(reason);
      } catch (error) {
        end(error);
      }
    });
    worker.on('error', end);
    worker.on('messageerror', end);
    worker.on('exit', () => end(undefined));
    this.#watch(thread);
    return thread;
  }

  /** Ends the thread if it has had scans but no idle moment since the last check. */
  #watch(thread: Thread, busySince: { readonly idle: number } | null = null): void {
    const { startTimer = startNodeTimer } = this.options;
    thread.stopTimer = startTimer(() => {
      const { idle } = thread.worker.performance.eventLoopUtilization();
      const hasScans = thread.running.size > 0;
      if (hasScans && busySince?.idle === idle) void this.#end(thread, new Error('the scan thread was stuck'));
      else this.#watch(thread, hasScans ? { idle } : null);
    }, STUCK_MS);
  }

  /** Ends a thread once: a worker can emit both `error` and `exit`. */
  async #end(thread: Thread, cause: unknown): Promise<void> {
    thread.stopTimer();
    if (this.#thread === thread) {
      this.#thread = null;
      this.#measured = undefined;
    }
    for (const reject of thread.running) reject(new Error('the scan thread ended', { cause }));
    await thread.worker.terminate();
  }
}

async function answerQuestion({ question, replyPort: port }: QuestionMessage, limits: AnonymousLimits): Promise<void> {
  try {
    port.postMessage(
      await ('address' in question ? limits.pace.reserve(question.address) : limits.mayRequestDomain(question.domain)),
    );
  } finally {
    port.close();
  }
}

/**
 * Creates limits that ask the service, for a free scan in the thread.
 * @param port of the {@link ScanRequest}; a question rejects if the service no longer waits for the scan
 */
export function createRemoteLimits(port: MessagePort): AnonymousLimits {
  const release = new AbortController();
  port.once('message', () => release.abort());
  const ask = async <Answer>(question: Question): Promise<Answer> => {
    const { port1, port2 } = new MessageChannel();
    const answered = once(port1, 'message') as Promise<[Answer]>;
    const closed = once(port1, 'close').then(() => {
      throw new Error('the service no longer waits for this scan');
    });
    port.postMessage({ question, replyPort: port2 } satisfies ScanMessage, [port2]);
    const [answer] = await Promise.race([answered, closed]);
    return answer;
  };
  return {
    pace: { reserve: (address) => ask<number>({ address }), released: release.signal },
    mayRequestDomain: (domain) => ask<boolean>({ domain }),
  };
}

/** Gives `overloaded` a cause, which distinguishes it from a scan that never began. */
function toError(outcome: Exclude<Outcome, { result: unknown }>): Error {
  if ('fault' in outcome) return new Error(outcome.fault);
  const cause = outcome.exhausted === 'slots' ? new OutOfSlots(outcome.siteRequestCount) : new OutOfResources();
  return new ServiceError('overloaded', { cause });
}

/** Heap limits. Without one, V8 would collect garbage endlessly before the process runs out of memory. */
const ACCOUNTS_HEAP_MIB_MAX = 1024;
const FREE_SCANS_HEAP_MIB_MAX = 512;

/** Creates two threads, for accounts and for free scans, so that a visitor's scan cannot break a customer's run. */
export function createScanThreads(options: Omit<ScanThreadOptions, 'heapMibMax'>) {
  const accounts = new ScanThread({ ...options, heapMibMax: ACCOUNTS_HEAP_MIB_MAX });
  const free = new ScanThread({ ...options, heapMibMax: FREE_SCANS_HEAP_MIB_MAX });
  return {
    scan: accounts.scan,
    scanFree: free.scan,
    tryFile: free.tryFile,
    /** Returns the share of the busier thread. */
    measureBusyShare: (): number => Math.max(accounts.measureBusyShare(), free.measureBusyShare()),
    close: async (): Promise<void> => {
      await Promise.all([accounts.close(), free.close()]);
    },
  };
}
