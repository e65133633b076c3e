import { stat } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { createScanning } from './package/scanning.js';
import { createLogger, logConsole } from './platform/logging.js';
import { OutOfResources, OutOfSlots } from './scanner/artifacts/resource.js';
import { overlayOfFile } from './scanner/client/stand-in.js';
import type { ScanTarget } from './scanner/client/visit.js';
import type { ScanProgress } from './scanner/report/progress.js';
import type { Trial } from './scanner/scan/recorded-scan.js';
import type { ScanReport } from './scanner/scan/scan.js';
import { createScanners } from './scanner/scan/scanner.js';
import type {
  MessageFromThread,
  MessageToThread,
  Outcome,
  Question,
  ScanOrder,
  SentTarget,
  ThreadSettings,
} from './wiring/scan-thread.js';

/** The program of a scan thread, which `wiring/scan-thread.ts` starts. */
const { config, endpoints } = workerData as ThreadSettings;
/** Steps of nice(2). Each costs about a tenth of the processor time that the thread gets beside others. */
const PRIORITY_STEPS = 3;

const logger = createLogger(config.logLevel);
logConsole(logger);
await lowerPriority();

const scanning = createScanning(config, logger, { endpoints, onRefused: (refused) => send({ refused }) });
const scanners = createScanners(scanning);
const paceRelease = new AbortController();
/** What to do with the answer to each open question, by its number. */
const questions = new Map<number, (answer: never) => void>();
let lastQuestion = 0;

parentPort?.on('message', (message: MessageToThread) => {
  if (message === 'release pace') paceRelease.abort();
  else if ('scan' in message) void perform(message.scan, message.target, message.order);
  else {
    questions.get(message.question)?.(message.answer as never);
    questions.delete(message.question);
  }
});

function send(message: MessageFromThread): void {
  parentPort?.postMessage(message);
}

async function perform(scan: number, target: SentTarget, order: ScanOrder): Promise<void> {
  send({ scan, outcome: await settle(performScan(scan, toTarget(scan, target), order)) });
}

function performScan(scan: number, target: ScanTarget, order: ScanOrder): Promise<ScanReport | Trial> {
  const onProgress = (progress: ScanProgress): void => send({ scan, progress });
  if ('file' in order) return scanners.tryOverlay(target, overlayOfFile(order.pathname, order.file), onProgress);
  return scanners.scan(target, onProgress, order.only);
}

async function settle(work: Promise<ScanReport | Trial>): Promise<Outcome> {
  try {
    return { result: await work };
  } catch (error) {
    if (error instanceof OutOfSlots) return { lack: 'slots', siteRequestCount: error.siteRequestCount };
    return error instanceof OutOfResources ? { lack: 'resources' } : { fault: inspect(error) };
  }
}

function toTarget(scan: number, { origin, pages, isAnonymous, ...rest }: SentTarget): ScanTarget {
  const ask = <Answer>(asked: Question): Promise<Answer> => {
    lastQuestion += 1;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    questions.set(lastQuestion, resolve);
    send({ scan, question: lastQuestion, asked });
    return promise;
  };
  const anonymousLimits = {
    pace: { reserve: (address: string) => ask<number>({ address }), released: paceRelease.signal },
    mayRequestDomain: (domain: string) => ask<boolean>({ domain }),
  };
  return {
    ...rest,
    origin: new URL(origin),
    ...(pages && { pages: pages.map((page) => new URL(page)) }),
    ...(isAnonymous && { anonymousLimits }),
  };
}

/** Lowers the priority of this thread, so that scans delay no requests. Linux has a priority for each thread, see setpriority(2). */
async function lowerPriority(): Promise<void> {
  if (process.platform !== 'linux') return;
  try {
    // The threads of libuv are shared by the process and inherit the priority of the thread that first uses them.
    await stat('/');
    setPriority(Math.min(getPriority() + PRIORITY_STEPS, constants.priority.PRIORITY_LOW));
  } catch (cause) {
    logger.warn({ cause }, 'cannot lower the priority of scans');
  }
}
