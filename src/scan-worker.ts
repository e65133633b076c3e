import { stat } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { createScanning } from './package/scanning.js';
import { createLogger, logConsole } from './platform/logging.js';
import { OutOfResources, OutOfSlots } from './scanner/artifacts/out-of-resources.js';
import type { AnonymousLimits, ScanTarget } from './scanner/client/visit.js';
import { overlayOfFile } from './scanner/client/stand-in.js';
import type { ScanProgress } from './scanner/report/progress.js';
import { createScanners } from './scanner/scan/scanner.js';
import { type Message, Peer } from './wiring/peer.js';
import type {
  ScanRequest,
  Outcome,
  SentTarget,
  ServiceFunctions,
  ThreadFunctions,
  ThreadSettings,
} from './wiring/scan-thread.js';

/** The program of a scan thread, which `wiring/scan-thread.ts` starts. */
const { config, endpoints } = workerData as ThreadSettings;
/** Steps of nice(2). Each costs about a tenth of the processor time that the thread gets beside others. */
const PRIORITY_STEPS = 3;

const logger = createLogger(config.logLevel);
logConsole(logger);
await lowerPriority();

const paceRelease = new AbortController();

const functions: ThreadFunctions = {
  scan: (scan, target, order) => settleScan(perform(toTarget(scan, target), order, progressReporter(scan))),
  releasePace: () => paceRelease.abort(),
};
const service = new Peer<ServiceFunctions>((message) => parentPort?.postMessage(message), functions);
const onRefused = (reason: Parameters<ServiceFunctions['refused']>[0]): void => void service.call('refused', reason);
const scanners = createScanners(createScanning(config, logger, { endpoints, onRefused }));
parentPort?.on('message', (message: Message) => void service.receive(message));

/** Lets readers come before scans where both want the processor. Linux has a priority for each thread, see setpriority(2). */
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

function perform(target: ScanTarget, order: ScanRequest, onProgress: (progress: ScanProgress) => void) {
  return 'file' in order
    ? scanners.tryOverlay(target, overlayOfFile(order.pathname, order.file), onProgress)
    : scanners.scan(target, onProgress, order.only);
}

async function settleScan(work: Promise<Extract<Outcome, { made: unknown }>['made']>): Promise<Outcome> {
  try {
    return { made: await work };
  } catch (error) {
    if (error instanceof OutOfSlots) return { lack: 'slots', siteRequestCount: error.siteRequestCount };
    return error instanceof OutOfResources ? { lack: 'resources' } : { fault: inspect(error) };
  }
}

function progressReporter(scan: number): (progress: ScanProgress) => void {
  return (progress) => void service.call('progress', scan, progress);
}

function toTarget(scan: number, { origin, pages, isAnonymous, ...rest }: SentTarget): ScanTarget {
  return {
    ...rest,
    origin: new URL(origin),
    ...(pages && { pages: pages.map((page) => new URL(page)) }),
    ...(isAnonymous && { anonymousLimits: createLimits(scan) }),
  };
}

function createLimits(scan: number): AnonymousLimits {
  return {
    pace: { reserve: (address) => service.call('reserveRequest', scan, address), released: paceRelease.signal },
    mayRequestDomain: (domain) => service.call('mayRequestDomain', scan, domain),
  };
}
