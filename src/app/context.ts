import type { WebhookRefusal } from '../net/guard.js';
import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import type { Slots } from '../platform/slots.js';
import type { OverlayFile } from '../scanner/client/stand-in.js';
import type { ScanTarget, Visit } from '../scanner/client/visit.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Trial } from '../scanner/scan/recorded-scan.js';
import type { Scanner } from '../scanner/scan/scanner.js';
import type { Database } from '../store/database.js';

/** Scans a site as it is, and as if it served this file at this percent-encoded path. Rejects as a {@link Scanner} does. */
export type TryFile = (
  target: ScanTarget,
  pathname: string,
  file: OverlayFile,
  onProgress?: (progress: ScanProgress) => void,
) => Promise<Trial>;

/** Shared by all services. Each declares what it uses, such as `Pick<Context, 'db' | 'clock'>`. */
export interface Context {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The service's base address, for links, without a trailing slash. */
  readonly publicUrl: string;
  /** Version of the program, stored with each run. */
  readonly release: string;
  readonly hasMail: boolean;
  /** Replaces every plan's monthly quota, but gives no plan the API. */
  readonly monthlyQuotaOverride: number | null;
  readonly sitesMaxOverride: number | null;

  readonly scan: Scanner;
  /** As `scan`, counted as free scans. */
  readonly scanFree: Scanner;
  readonly tryFree: TryFile;
  /** Slots that all scans of this process share: `scanConcurrency` of them. */
  readonly slots: Slots;
  readonly scanConcurrency: number;
  /** Logs a fault of ours that no request reports. */
  readonly onFailure: (error: unknown) => void;

  /** True if the guard allows this origin to be added or scanned. */
  readonly vetSite: (origin: URL) => boolean | Promise<boolean>;
  /** Returns why the guard refuses a webhook's address; null if it does not. */
  readonly vetWebhook: (url: URL) => Promise<WebhookRefusal | null>;
  /** Resolves to all addresses of an origin, or its name if it has none. */
  readonly addressesOf: (origin: URL) => Promise<readonly string[]>;
  /** Resolves to one string per record, none if there is no record or name. Rejects if DNS does not answer. */
  readonly resolveTxt: (name: string) => Promise<readonly string[]>;
  /** Opens a guarded visit. The caller closes it. */
  readonly openVisit: (target: ScanTarget) => Promise<{ readonly visit: Visit; close(): Promise<void> }>;
}
