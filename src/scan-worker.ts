import { stat } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { ScanningProcesses } from './app/limits/scanning-processes.js';
import { createScanning } from './package/scanning.js';
import { createLogger, logConsole } from './platform/logging.js';
import { OutOfResources, Starved } from './scanner/artifacts/out-of-resources.js';
import type { Restraint, ScanTarget } from './scanner/client/visit.js';
import type { ScanProgress } from './scanner/report/progress.js';
import type {
  Answer,
  AskedOfService,
  Call,
  Outcome,
  Ping,
  Pong,
  ScanOrder,
  ThreadSettings,
  ToldToService,
} from './wiring/scan-messages.js';
import { createScanners } from './wiring/scanners.js';

/** The thread that `wiring/scan-thread.ts` starts: it performs the scans of the process. */
const { config, version, endpoints } = workerData as ThreadSettings;
/** In steps of nice(2), of which each takes about a tenth of what a thread gets next to others. */
const STANDS_BACK = 3;

const logger = createLogger(config.logLevel);
logConsole(logger);
await standBack();

// As precise as what prom-client tells of the process itself.
const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();

const waiting = new Map<number, (value: never) => void>();
let questions = 0;

function ask<Name extends keyof AskedOfService>(
  name: Name,
  ...args: Parameters<AskedOfService[Name]>
): Promise<Awaited<ReturnType<AskedOfService[Name]>>> {
  questions += 1;
  const question = questions;
  parentPort?.postMessage({ question, name, args } satisfies Call<Name>);
  return new Promise((resolve) => waiting.set(question, resolve));
}

function tell<Name extends keyof ToldToService>(name: Name, ...args: Parameters<ToldToService[Name]>): void {
  parentPort?.postMessage({ name, args } satisfies Call<Name>);
}

const { scan, tryFile } = createScanners(
  createScanning(config, logger, {
    endpoints,
    peers: new ScanningProcesses((addresses) => ask('exchange', addresses)),
    onRefused: (reason) => tell('refused', reason),
  }),
  version,
);

parentPort?.on('message', (message: ScanOrder | Answer | Ping) => {
  if (message === 'ping') parentPort?.postMessage({ lagS: takeLag() } satisfies Pong);
  else if ('scan' in message) {
    const end = (outcome: Outcome): void => tell('end', message.scan, outcome);
    perform(message)
      .then(end)
      .catch((error: unknown) => end({ fault: inspect(error) }));
  } else {
    waiting.get(message.question)?.(message.value as never);
    waiting.delete(message.question);
  }
});

/**
 * Readers come before scans where both want the processor: a little, since what else is on the machine comes before them as well. On Linux
 * a priority is a thread's, elsewhere the process's: setpriority(2).
 */
async function standBack(): Promise<void> {
  if (process.platform !== 'linux') return;
  try {
    // The threads that the whole process shares have the priority of the one that first gave them work: not this one's.
    await stat('/');
    setPriority(Math.min(getPriority() + STANDS_BACK, constants.priority.PRIORITY_LOW));
  } catch (cause) {
    logger.warn({ cause }, 'scans have the priority of reads');
  }
}

function takeLag(): number {
  const lagS = delays.percentile(99) / 1e9;
  delays.reset();
  return lagS;
}

async function perform(order: ScanOrder): Promise<Outcome> {
  const { only, trial } = order;
  const target = targetOf(order);
  const onProgress = (progress: ScanProgress): void => tell('progress', order.scan, progress);
  try {
    const made = trial
      ? await tryFile(target, trial.pathname, trial.file, onProgress)
      : await scan(target, onProgress, only);
    return { made };
  } catch (error) {
    if (error instanceof Starved) return { lack: 'slots', siteRequestCount: error.siteRequestCount };
    return error instanceof OutOfResources ? { lack: 'resources' } : { fault: inspect(error) };
  }
}

function targetOf({ scan: id, target }: ScanOrder): ScanTarget {
  const { origin, pages, isRestrained, ...rest } = target;
  return {
    ...rest,
    origin: new URL(origin),
    ...(pages && { pages: pages.map((page) => new URL(page)) }),
    ...(isRestrained && { restraint: restraintOf(id) }),
  };
}

function restraintOf(scan: number): Restraint {
  return {
    pace: {
      take: (address) => ask('takeTurn', scan, address),
      wait: (ms, signal) =>
        new Promise((resolve) => {
          if (signal.aborted) resolve();
          signal.addEventListener('abort', () => resolve(), { once: true });
          void ask('waitForTurn', scan, ms).then(resolve);
        }),
    },
    mayAskOther: (domain) => ask('mayAskOther', scan, domain),
  };
}
