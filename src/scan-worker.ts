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
import type { OverlayComparison } from './scanner/scan/recorded-scan.js';
import type { ScanReport } from './scanner/scan/scan.js';
import { createScanners } from './scanner/scan/scanner.js';
import {
  createRemoteLimits,
  type Outcome,
  type ScanMessage,
  type ScanRequest,
  type ThreadSettings,
} from './wiring/scan-thread.js';

/** Program of the scan threads that `wiring/scan-thread.ts` starts. */
const { config, endpoints } = workerData as ThreadSettings;
/** Steps of nice(2). When threads compete, each step costs this one about a tenth of its processor time. */
const PRIORITY_STEPS = 3;

const logger = createLogger(config.logLevel);
logConsole(logger);
await lowerPriority();

const scanning = createScanning(config, logger, { endpoints, onRefused: (reason) => parentPort?.postMessage(reason) });
const scanners = createScanners(scanning);

parentPort?.on('message', (request: ScanRequest) => void perform(request));

async function perform(request: ScanRequest): Promise<void> {
  const send = (message: ScanMessage): void => request.port.postMessage(message);
  send({ outcome: await toOutcome(performScan(request, (progress) => send({ progress }))) });
}

function performScan(
  request: ScanRequest,
  onProgress: (progress: ScanProgress) => void,
): Promise<ScanReport | OverlayComparison> {
  const { trialFile, only } = request;
  const target = targetOf(request);
  return trialFile
    ? scanners.tryOverlay(target, overlayOfFile(trialFile.pathname, trialFile.file), onProgress)
    : scanners.scan(target, onProgress, only);
}

async function toOutcome(work: Promise<ScanReport | OverlayComparison>): Promise<Outcome> {
  try {
    return { result: await work };
  } catch (error) {
    if (error instanceof OutOfSlots) return { exhausted: 'slots', siteRequestCount: error.siteRequestCount };
    return error instanceof OutOfResources ? { exhausted: 'resources' } : { fault: inspect(error) };
  }
}

function targetOf({ port, target, origin, pages, isAnonymous }: ScanRequest): ScanTarget {
  return {
    ...target,
    origin: new URL(origin),
    ...(pages && { pages: pages.map((page) => new URL(page)) }),
    ...(isAnonymous && { anonymousLimits: createRemoteLimits(port) }),
  };
}

/** Lowers the priority of this thread, so that scans delay no requests. On Linux, each thread has its own, see setpriority(2). */
async function lowerPriority(): Promise<void> {
  if (process.platform !== 'linux') return;
  try {
    // Starts libuv's threads, which the process shares and which inherit the priority of the thread that first uses them.
    await stat('/');
    setPriority(Math.min(getPriority() + PRIORITY_STEPS, constants.priority.PRIORITY_LOW));
  } catch (cause) {
    logger.warn({ cause }, 'cannot lower the priority of scans');
  }
}
