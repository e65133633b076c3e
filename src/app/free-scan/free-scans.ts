import type { Clock } from '../../platform/clock.js';
import { isSiteHostname, parseSiteOfPage } from '../sites/site-input.js';
import type { Scanner } from '../../scanner/scan/scanner.js';
import type { Database } from '../../store/database.js';
import type { FreeScanState, FreeScanTicket } from './free-scan.js';
import { FreeScanDesk } from './free-scan-desk.js';
import { FreeScanCache } from './free-scan-cache.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { createRefunds, type Refunds } from '../limits/refunds.js';
import { createSlots, type Slots } from '../../platform/slots.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';

export type { FreeScan, FreeScanState, FreeScanTicket } from './free-scan.js';

/** The scan without a key, for the MCP tool and the form of the home page alike; its limits are in here. */
export interface FreeScans {
  /**
   * Admits and starts a scan, joins the one of this host that goes on, or hands over the last result of this hour. Only a scan
   * that it starts counts towards the limits, and so does a target that the guard refuses.
   * @param request.site a host name, an origin, or the URL of any page of the site: the site is its origin
   * @param request.clientAddress the caller's IP address; IPv6 counts by its /64
   * @throws InputError for what is no public site; TooSoonError over a limit
   */
  start(request: { readonly site: string; readonly clientAddress: string }): Promise<FreeScanTicket>;
  /** How the scan of this host stands; null when there was none in this hour. Starts nothing. */
  find(hostname: string): Promise<FreeScanState | null>;
  /** Resolves when the scans that go on have ended, and refuses those to come: for the end of the process. */
  settle(): Promise<void>;
}

export interface FreeScansDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly scan: Scanner;
  /** The slots that all scans of this process share. */
  readonly slots: Slots;
  /** How many slots these are. */
  readonly scanConcurrency: number;
  /** Whether the guard lets anybody scan this origin. */
  readonly vetSite: (origin: URL) => boolean | Promise<boolean>;
  readonly rateLimits: RateLimits;
  readonly refunds?: Refunds;
  /** Hears why a scan failed after it was admitted: for the log. */
  readonly onFailure?: (error: unknown) => void;
  readonly startTimer?: StartTimer;
}

/** Free scans leave most of the slots to those who pay. */
const SLOTS_SHARE = 4;

export function createFreeScans(deps: FreeScansDeps): FreeScans {
  const { db, clock, scanConcurrency, refunds = createRefunds(db), startTimer = startNodeTimer } = deps;
  const { scan, slots, vetSite, rateLimits, onFailure } = deps;
  const cache = new FreeScanCache({ db, clock, refunds, startTimer });
  const ownSlots = createSlots(Math.max(1, Math.floor(scanConcurrency / SLOTS_SHARE)), { startTimer });
  const desk = new FreeScanDesk({ clock, scan, slots, ownSlots, vetSite, rateLimits, cache, onFailure, startTimer });
  const inTurn = createTurns();
  return {
    async start({ site: text, clientAddress }) {
      const site = parseSiteOfPage(text);
      return inTurn(site.hostname, async () => (await desk.join(site.hostname)) ?? desk.startAnew(site, clientAddress));
    },
    find: (hostname) => (isSiteHostname(hostname) ? desk.find(hostname) : Promise.resolve(null)),
    async settle() {
      await ownSlots.close();
      await desk.settle();
    },
  };
}

/** Does the work for one host one after the other, so that whoever comes second finds what the first has started. */
function createTurns(): <T>(hostname: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (hostname, work) => {
    const turn = (last.get(hostname) ?? Promise.resolve()).then(work);
    const ended = turn
      .catch(() => undefined)
      .finally(() => {
        if (last.get(hostname) === ended) last.delete(hostname);
      });
    last.set(hostname, ended);
    return turn;
  };
}
