import { CHECKS, NOTES } from '../checks/index.js';
import { newControlSeed } from '../probe/control.js';
import type { Listener } from '../client/events.js';
import { createGuard } from '../../net/guard.js';
import { Recorder } from '../trace/recorder.js';
import type { Recording } from '../trace/recording.js';
import { ReplayTransport } from '../trace/replay-transport.js';
import type { Clock } from './clock.js';
import { openSession, type SessionOptions } from './open-session.js';
import type { ScanProgress } from '../report/progress.js';
import { scan, type ScanReport } from './scan.js';

export interface RecordDeps {
  readonly clock: Clock;
  /** Of this package. */
  readonly version: string;
  readonly onProgress?: (progress: ScanProgress) => void;
}

/** Scans as `scan` does, and keeps what a replay needs. @throws as `scan` */
export async function recordScan(
  options: SessionOptions,
  { clock, version, onProgress }: RecordDeps,
): Promise<{ readonly report: ScanReport; readonly recording: Recording }> {
  const recorder = new Recorder(() => clock.now());
  const controlSeed = newControlSeed();
  let isOutOfTime = false;
  const report = await scan(options.target, {
    ...{ checks: CHECKS, notes: NOTES, clock },
    openSession: (_target, startedAt) => {
      const watched: SessionOptions = {
        ...options,
        transport: recorder.watchTransport(options.transport),
        gate: recorder.watchGate(options.gate ?? createGuard()),
        listeners: [...(options.listeners ?? []), recorder.listen],
      };
      const { close, ...opened } = openSession(watched, startedAt, controlSeed);
      const closeSeen = async (): Promise<void> => {
        isOutOfTime = opened.visit.deadline.aborted;
        await close();
      };
      return { ...opened, close: closeSeen };
    },
    ...(onProgress && { onProgress }),
  });
  const { origin, isOwnershipVerified, pages = [] } = options.target;
  const { startedAt, finishedAt, requestCount } = report;
  const run = {
    ...{ version, origin: origin.origin, isOwnershipVerified },
    ...(pages.length > 1 ? { pages: pages.map(({ href }) => href) } : pages[0] && { page: pages[0].href }),
    infoUrl: options.infoUrl === undefined ? null : String(options.infoUrl),
    ...{ controlSeed, startedAt, finishedAt, requestCount, isOutOfTime },
    ...recorder.seen,
  };
  return { report, recording: { run, exchanges: recorder.exchanges } };
}

export interface Replayed {
  readonly report: ScanReport;
  /** Requests that the record does not hold, since this version asks for more: each one failed as if nothing answered there. */
  readonly missingCount: number;
}

/** A replay waits for nothing, so that only what was recorded ends it. */
const NO_LIMIT_MS = 3_600_000;

/** No more than what was recorded is answered, and the record says what was dropped. */
const REPLAY_LIMITS = {
  ...{ runMs: NO_LIMIT_MS, tryMs: NO_LIMIT_MS },
  ...{ requestsMax: 5000, furtherReserve: 0, foreignMax: 5000 },
};

/** Who hears of a replay's progress. */
export interface Watching {
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
  readonly listeners?: readonly Listener[];
}

/** Judges a record again: no network, the same time, the same findings. */
export async function replayScan(
  recording: Recording,
  { onProgress, listeners = [] }: Watching = {},
): Promise<Replayed> {
  const { run } = recording;
  const { startedAt, finishedAt, requestCount, isOwnershipVerified, infoUrl } = run;
  const transport = new ReplayTransport(recording);
  const pages = run.pages ?? (run.page === undefined ? undefined : [run.page]);
  const target = {
    ...{ origin: new URL(run.origin), isOwnershipVerified },
    ...(pages && { pages: pages.map((page) => new URL(page)) }),
  };
  const refused = new Map(run.refused.map(({ url, reason }) => [url, reason]));
  const options: SessionOptions = {
    ...{ target, transport, timeUp: transport.timeUp, limits: REPLAY_LIMITS },
    gate: { vetUrl: (url) => refused.get(url.href) ?? null },
    pause: async (_ms, signal) => signal.throwIfAborted(),
    listeners,
    ...(infoUrl !== null && { infoUrl }),
  };
  const report = await scan(target, {
    ...{ checks: CHECKS, notes: NOTES, clock: { now: () => startedAt } },
    openSession: (_target, now) => openSession(options, now, run.controlSeed),
    ...(onProgress && { onProgress }),
  });
  // A replay asks the site for nothing.
  return { report: { ...report, finishedAt, requestCount, siteRequestCount: 0 }, missingCount: transport.missingCount };
}
