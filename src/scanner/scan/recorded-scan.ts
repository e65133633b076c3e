import { createGuard } from '../../net/guard.js';
import { wrapTransport } from '../../net/transport.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { findReplacedErrors, type Overlay, serveOverlay } from '../client/stand-in.js';
import { newControlSeed } from '../probe/control.js';
import { Recorder } from '../trace/recorder.js';
import type { Recording } from '../trace/recording.js';
import { createPartialReplay, answersByUrl, ReplayTransport } from '../trace/replay-transport.js';
import { describeTrial } from '../report/trial.js';
import { openSession, scan, type ScanDeps, type ScanReport, type SessionOptions } from './scan.js';

export interface RecordedScan {
  readonly report: ScanReport;
  readonly recording: Recording;
  /** Returns the origin of the site's files, such as robots.txt. */
  readonly fileOrigin: () => Promise<URL>;
}

/** Scans like `scan`, and records what a replay needs. @throws like `scan` */
export async function recordScan(
  options: SessionOptions,
  deps: Pick<ScanDeps, 'clock' | 'onProgress'>,
): Promise<RecordedScan> {
  const recorder = new Recorder(() => deps.clock.now());
  const controlSeed = newControlSeed();
  const watched: SessionOptions = {
    ...options,
    transport: recorder.watchTransport(options.transport),
    gate: recorder.watchGate(options.gate ?? createGuard()),
    listeners: [...(options.listeners ?? []), recorder.listen],
  };
  const session = openSession(watched, deps.clock.now(), controlSeed);
  let isOutOfTime = false;
  const close = (): Promise<void> => {
    isOutOfTime = session.visit.deadline.aborted;
    return session.close();
  };
  const report = await scan({ ...session, close }, deps);
  const { origin, isOwnershipVerified, pages = [] } = options.target;
  const run = {
    origin: origin.origin,
    isOwnershipVerified,
    ...(pages.length > 0 && { pages: pages.map(({ href }) => href) }),
    infoUrl: options.infoUrl === undefined ? null : String(options.infoUrl),
    startedAt: report.startedAt.toISOString(),
    finishedAt: report.finishedAt.toISOString(),
    controlSeed,
    requestCount: report.requestCount,
    isOutOfTime,
    ...recorder.refusals,
  };
  return { report, recording: { run, entries: recorder.entries }, fileOrigin: () => session.context.fileOrigin() };
}

/** A replay never waits, so only a recorded timeout may end it. */
const NO_LIMIT_MS = 3_600_000;

/** Limits that a replay never reaches: the recording names the requests that a limit stopped. */
const REPLAY_LIMITS = {
  runMs: NO_LIMIT_MS,
  tryMs: NO_LIMIT_MS,
  requestsMax: 5000,
  followUpReserve: 0,
  externalMax: 5000,
};

/** Observes a replay. */
export type ReplayObservers = Pick<ScanDeps, 'onProgress'> & Pick<SessionOptions, 'listeners'>;

/**
 * Scans a recording again, without network and at the recorded time, with the same findings.
 * @returns `missingCount`: number of requests that the recording lacks, each of which failed as unreachable
 */
export async function replayScan(
  recording: Recording,
  { onProgress, listeners = [] }: ReplayObservers = {},
): Promise<{ readonly report: ScanReport; readonly missingCount: number }> {
  const { origin, pages, isOwnershipVerified, infoUrl, controlSeed, requestCount, ...run } = recording.run;
  const [startedAt, finishedAt] = [new Date(run.startedAt), new Date(run.finishedAt)];
  const transport = new ReplayTransport(recording);
  const refused = new Map(run.refused.map(({ url, reason }) => [url, reason]));
  const options: SessionOptions = {
    target: {
      origin: new URL(origin),
      isOwnershipVerified,
      ...(pages && { pages: pages.map((page) => new URL(page)) }),
    },
    transport,
    limits: REPLAY_LIMITS,
    gate: { vetUrl: (url) => refused.get(url.href) ?? null },
    pause: async (_ms, signal) => signal.throwIfAborted(),
    listeners,
    ...(infoUrl !== null && { infoUrl }),
  };
  const clock = { now: () => finishedAt };
  const report = await scan(openSession(options, startedAt, controlSeed), { clock, onProgress });
  // A replay sends no request to the site.
  return { report: { ...report, requestCount, siteRequestCount: 0 }, missingCount: transport.missingCount };
}

/** Reports of a site without and with the overlay. */
export interface OverlayComparison {
  readonly before: ScanReport;
  readonly after: ScanReport;
  /** What the comparison leaves open, in sentences. */
  readonly note: string;
}

/**
 * Scans a site as it is, then again with overlay files instead of its own. The second scan only sends requests that the first did not,
 * and both together stay within one scan's limits of requests and bytes.
 * @throws like `scan`
 */
export async function tryOverlay(
  options: SessionOptions,
  deps: Pick<ScanDeps, 'clock' | 'onProgress'> & { readonly overlay: Overlay },
): Promise<OverlayComparison> {
  const { overlay, clock, onProgress } = deps;
  // The second scan shares DNS names, connections and the byte limit with the first.
  const network = wrapTransport(options.transport, { close: () => Promise.resolve() });
  try {
    const { report: before, recording, fileOrigin } = await recordScan({ ...options, transport: network }, deps);
    const requestsMax = Math.max(0, SCAN_LIMITS.requestsMax - before.requestCount);
    const site = { overlay, fileOrigin: await fileOrigin(), answers: answersByUrl(recording) };
    const transport = serveOverlay(createPartialReplay(recording, network, requestsMax), site);
    // The same control paths, so that their responses are already recorded.
    const session = openSession({ ...options, transport }, clock.now(), recording.run.controlSeed);
    const after = await scan(session, { clock, onProgress });
    return { before, after, note: describeTrial(findReplacedErrors(site)) };
  } finally {
    await options.transport.close();
  }
}
