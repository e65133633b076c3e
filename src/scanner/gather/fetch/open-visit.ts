import { setMaxListeners } from 'node:events';
import { RequestBudget } from './budget.js';
import { Fetcher } from './fetcher.js';
import { createGuard } from '../guard/guard.js';
import type { UrlGate } from '../guard/url-gate.js';
import type { RefusalReason } from '../guard/refusal.js';
import { SCAN_LIMITS, scannerUserAgent } from '../../evidence/scanner.js';
import { HostQueues, VisitedHosts } from './host-queue.js';
import { FetchMemo } from './memo.js';
import type { FetchHop } from './redirects.js';
import { followRedirects } from './redirects.js';
import { prepareRequest } from './request.js';
import type { Pause } from './retries.js';
import { pauseFor, tryRepeatedly } from './retries.js';
import type { Transport } from './transport.js';
import { TransportError } from './transport.js';
import type { ScanTarget, Visit } from './visit.js';

/** The limits of one run. */
export interface VisitLimits {
  readonly runMs: number;
  /** Connection, header fields and body of one try. */
  readonly tryMs: number;
  readonly requestsMax: number;
  /** How many of the requests are reserved for hops and second tries. */
  readonly furtherReserve: number;
  readonly hopsMax: number;
  /** Total bytes of bodies remembered for a second reader. */
  readonly memoBytesMax: number;
}

export const VISIT_LIMITS: VisitLimits = {
  runMs: SCAN_LIMITS.runMs,
  tryMs: 12_000,
  requestsMax: SCAN_LIMITS.requestsMax,
  furtherReserve: 30,
  hopsMax: SCAN_LIMITS.redirectsMax,
  memoBytesMax: 4 * 1_048_576,
};

export interface VisitOptions {
  readonly target: ScanTarget;
  /** Closed with the visit. */
  readonly transport: Transport;
  /** By default a gate without exceptions. */
  readonly gate?: UrlGate;
  /** The process's, so that two runs on one host share its limit; by default the visit's own. */
  readonly hostQueues?: HostQueues;
  readonly limits?: Partial<VisitLimits>;
  /** The page that explains this scanner to site owners; part of the User-Agent. */
  readonly infoUrl?: URL | string;
  readonly pause?: Pause;
  /** For the log: why a target was refused, which no tenant may see. */
  readonly onRefused?: (url: URL, reason: RefusalReason) => void;
}

export interface OpenVisit extends Visit {
  /** Ends all running fetches, and the transport. */
  close(): Promise<void>;
}

/** Opens the visit of one run, whose time starts now. */
export function openVisit(options: VisitOptions): OpenVisit {
  const limits = { ...VISIT_LIMITS, ...options.limits };
  const run = new AbortController();
  setMaxListeners(0, run.signal);
  const timer = setTimeout(() => run.abort(new TransportError('run_deadline')), limits.runMs);
  // Every waiting operation has its own timer or socket, so the deadline need not keep the process alive.
  timer.unref();
  const budget = new RequestBudget(limits.requestsMax, limits.furtherReserve);
  const hosts = new VisitedHosts(options.hostQueues ?? new HostQueues());
  const fetcher = new Fetcher({
    transport: options.transport,
    gate: options.gate ?? createGuard(),
    budget,
    deadline: run.signal,
    tryMs: limits.tryMs,
    queueOf: (hostname) => hosts.queueOf(hostname),
    onRefused: options.onRefused ?? (() => undefined),
  });
  const memo = new FetchMemo(limits.memoBytesMax);
  const userAgent = scannerUserAgent(options.infoUrl);
  const pause = options.pause ?? pauseFor;

  const fetchHop: FetchHop = (request, isHop) =>
    memo.fetch(request, () =>
      tryRepeatedly(
        (tryNumber) => fetcher.tryOnce(request, isHop || request.isRepeat || tryNumber > 1 ? 'further' : 'first'),
        { attempts: request.attempts, pause, deadline: run.signal },
      ),
    );

  return {
    userAgent,
    fetch: (url, fetchOptions = {}) => {
      // Without proof of ownership, every request uses our own name.
      const name = options.target.isOwnershipVerified ? (fetchOptions.userAgent ?? userAgent) : userAgent;
      const request = prepareRequest(url, name, fetchOptions);
      return fetchOptions.isRedirectManual === true
        ? fetchHop(request, false)
        : followRedirects(request, fetchHop, limits.hopsMax);
    },
    pause: async (ms) => {
      // The deadline ends the pause; later fetches then fail with the deadline themselves.
      await pause(ms, run.signal).catch(() => undefined);
    },
    get requestCount() {
      return budget.count;
    },
    deadline: run.signal,
    close: async () => {
      clearTimeout(timer);
      run.abort(new TransportError('run_deadline'));
      hosts.leaveAll();
      await options.transport.close();
    },
  };
}
