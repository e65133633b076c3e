import { createGuard } from '../../net/guard.js';
import type { Transport } from '../../net/transport.js';
import { SCAN_LIMITS, scannerUserAgent } from '../artifacts/scanner.js';
import { CHECKS, NOTES } from '../checks/index.js';
import type { Listener } from '../client/request.js';
import { type Assumption, type Overlay, serveOverlay } from '../client/stand-in.js';
import { newControlSeed } from '../probe/control.js';
import type { ScanProgress } from '../report/progress.js';
import { Recorder } from '../trace/recorder.js';
import type { Recording } from '../trace/recording.js';
import { answerFrom, ReplayTransport } from '../trace/replay-transport.js';
import type { Clock } from './clock.js';
import { openSession, scan, type ScanReport, type SessionOptions } from './scan.js';

export interface RecordDeps {
  readonly clock: Clock;
  /** Version of this package. */
  readonly version: string;
  readonly onProgress?: (progress: ScanProgress) => void;
}

/** Scans like `scan`, and records what a replay needs. @throws like `scan` */
export async function recordScan(
  options: SessionOptions,
  { clock, version, onProgress }: RecordDeps,
): Promise<{ readonly report: ScanReport; readonly recording: Recording }> {
  const recorder = new Recorder(() => clock.now());
  const controlSeed = newControlSeed();
  let isOutOfTime = false;
  const report = await scan(options.target, {
    checks: CHECKS,
    notes: NOTES,
    clock,
    openSession: (_target, startedAt) => {
      const watched: SessionOptions = {
        ...options,
        transport: recorder.watchTransport(options.transport),
        gate: recorder.watchGate(options.gate ?? createGuard()),
        listeners: [...(options.listeners ?? []), recorder.listen],
      };
      const { close, ...opened } = openSession(watched, startedAt, controlSeed);
      const recordClose = async (): Promise<void> => {
        isOutOfTime = opened.visit.deadline.aborted;
        await close();
      };
      return { ...opened, close: recordClose };
    },
    ...(onProgress && { onProgress }),
  });
  const { origin, isOwnershipVerified, pages = [] } = options.target;
  const run = {
    version,
    origin: origin.origin,
    isOwnershipVerified,
    ...(pages.length > 0 && { pages: pages.map(({ href }) => href) }),
    infoUrl: options.infoUrl === undefined ? null : String(options.infoUrl),
    startedAt: report.startedAt.toISOString(),
    finishedAt: report.finishedAt.toISOString(),
    controlSeed,
    requestCount: report.requestCount,
    isOutOfTime,
    ...recorder.seen,
  };
  return { report, recording: { run, entries: recorder.entries } };
}

export interface Replayed {
  readonly report: ScanReport;
  /** Requests of this version that were not recorded. Each one failed as unreachable. */
  readonly missingCount: number;
}

/** A replay does not wait, so only a recorded timeout may end it. */
const NO_LIMIT_MS = 3_600_000;

/** Limits that a replay never reaches: the recording has the requests that a limit stopped. */
const REPLAY_LIMITS = {
  runMs: NO_LIMIT_MS,
  tryMs: NO_LIMIT_MS,
  requestsMax: 5000,
  furtherReserve: 0,
  externalMax: 5000,
};

/** Observers of a replay. */
export interface Watching {
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
  readonly listeners?: readonly Listener[];
}

/** Scans a recording again, without network and at the recorded time, with the same findings. */
export async function replayScan(
  recording: Recording,
  { onProgress, listeners = [] }: Watching = {},
): Promise<Replayed> {
  const { run } = recording;
  const { requestCount, isOwnershipVerified, infoUrl } = run;
  const [startedAt, finishedAt] = [new Date(run.startedAt), new Date(run.finishedAt)];
  const transport = new ReplayTransport(recording);
  const target = {
    origin: new URL(run.origin),
    isOwnershipVerified,
    ...(run.pages && { pages: run.pages.map((page) => new URL(page)) }),
  };
  const refused = new Map(run.refused.map(({ url, reason }) => [url, reason]));
  const options: SessionOptions = {
    target,
    transport,
    limits: REPLAY_LIMITS,
    gate: { vetUrl: (url) => refused.get(url.href) ?? null },
    pause: async (_ms, signal) => signal.throwIfAborted(),
    listeners,
    ...(infoUrl !== null && { infoUrl }),
  };
  const report = await scan(target, {
    checks: CHECKS,
    notes: NOTES,
    clock: { now: () => startedAt },
    openSession: (_target, now) => openSession(options, now, run.controlSeed),
    ...(onProgress && { onProgress }),
  });
  // A replay sends no request to the site.
  return { report: { ...report, finishedAt, requestCount, siteRequestCount: 0 }, missingCount: transport.missingCount };
}

/** Reports of a site without and with the overlay. */
export interface Trial {
  readonly before: ScanReport;
  readonly after: ScanReport;
  readonly assumed: readonly Assumption[];
}

/**
 * Scans a site as it is, then again with overlay files in place of its own. The second scan only sends requests that the first did not,
 * and both together stay within one scan's limits of requests and bytes.
 * @throws as `scan`
 */
export async function tryOverlay(
  options: SessionOptions,
  deps: RecordDeps & { readonly overlay: Overlay },
): Promise<Trial> {
  const { overlay, clock, onProgress } = deps;
  const network = keepOpen(options.transport);
  try {
    const { report: before, recording } = await recordScan({ ...options, transport: network }, deps);
    const requestsMax = Math.max(0, SCAN_LIMITS.requestsMax - before.requestCount);
    const assumed = new Map<string, Assumption>();
    const transport = serveOverlay(answerFrom(recording, network, requestsMax), {
      site: options.target.origin,
      overlay,
      userAgent: scannerUserAgent(options.infoUrl),
      onAssumed: (assumption) => void assumed.set(assumption.path, assumed.get(assumption.path) ?? assumption),
    });
    const after = await scan(options.target, {
      checks: CHECKS,
      notes: NOTES,
      clock,
      // The same control paths, so that their responses are already recorded.
      openSession: (_target, now) => openSession({ ...options, transport }, now, recording.run.controlSeed),
      ...(onProgress && { onProgress }),
    });
    return { before, after, assumed: [...assumed.values()] };
  } finally {
    await options.transport.close();
  }
}

/** Ignores `close`, so that the second scan shares DNS names, connections and the byte limit with the first. */
function keepOpen(transport: Transport): Transport {
  return {
    exchange: (request) => transport.exchange(request),
    addressOf: async (url) => (await transport.addressOf?.(url)) ?? url.hostname,
    close: () => Promise.resolve(),
  };
}
