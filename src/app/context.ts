import type { WebhookRefusal } from '../net/guard.js';
import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import type { Slots } from '../platform/slots.js';
import type { OverlayFile } from '../scanner/client/stand-in.js';
import type { ScanTarget, Visit } from '../scanner/client/visit.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { OverlayComparison } from '../scanner/scan/recorded-scan.js';
import type { Scanner } from '../scanner/scan/scanner.js';
import type { Database } from '../store/database.js';

/** Scans a site twice: unchanged, and with the file at the percent-encoded path. Rejects like {@link Scanner}. */
export type TryFile = (
  target: ScanTarget,
  pathname: string,
  file: OverlayFile,
  onProgress?: (progress: ScanProgress) => void,
) => Promise<OverlayComparison>;

/** Dependencies that services share. Each service declares which it uses, such as `Pick<Context, 'db' | 'clock'>`. */
export interface Context {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Base URL of the service, for links, without a trailing slash. */
  readonly publicUrl: string;
  /** Version of the program, stored with each run. */
  readonly release: string;
  readonly hasMail: boolean;
  /** Replaces the monthly quota of each plan that includes the API. */
  readonly monthlyQuotaOverride: number | null;
  readonly sitesMaxOverride: number | null;

  readonly scan: Scanner;
  /** Like `scan`, for scans without an account. */
  readonly scanFree: Scanner;
  readonly tryFile: TryFile;
  /** The `scanConcurrency` slots that all scans of this process share. */
  readonly slots: Slots;
  readonly scanConcurrency: number;
  /** Logs an internal error that no response reveals. */
  readonly onFailure: (error: unknown) => void;

  /** True if the guard allows this origin to be added or scanned. */
  readonly vetSite: (origin: URL) => boolean | Promise<boolean>;
  /** Returns why the guard refuses a webhook's URL; null if it allows it. */
  readonly vetWebhook: (url: URL) => Promise<WebhookRefusal | null>;
  /** Resolves to the IP addresses of an origin, or to its host name if DNS returns none. */
  readonly addressesOf: (origin: URL) => Promise<readonly string[]>;
  /** Resolves to one string per TXT record, empty if there is none. Rejects if DNS does not answer. */
  readonly resolveTxt: (name: string) => Promise<readonly string[]>;
  /** Opens the HTTP client of one scan. The caller closes it. */
  readonly openVisit: (target: ScanTarget) => Promise<{ readonly visit: Visit; close(): Promise<void> }>;
}
