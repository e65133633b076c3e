import type { RefusalReason } from '../net/refusal.js';
import type { Preview } from '../net/preview.js';
import type { Listener } from '../scanner/client/events.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Trial } from '../scanner/scan/overlay-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { Overlay } from '../scanner/trace/overlay.js';
import type { Recording } from '../scanner/trace/recording.js';

/** What is scanned. */
export interface ScanTask {
  readonly origin: URL;
  /** Pages of it that come first in the sample. */
  readonly pages: readonly URL[];
  /** The checks that are made; undefined: all. */
  readonly only: readonly string[] | undefined;
}

/** What one scan may reach, and who hears of it. */
export interface Reach {
  /** A server of the person's own, which need not be public. */
  readonly local?: URL;
  /** What stands in for the site that is judged. */
  readonly preview?: Preview;
  /** Header fields for the site's own origin, or for that of its preview. */
  readonly siteFields?: Readonly<Record<string, string>>;
  readonly listen?: Listener;
}

export interface ScanCommandDeps {
  /** Why the guard refuses this target; null if it does not. */
  readonly vetTarget: (origin: URL) => Promise<RefusalReason | null>;
  readonly scan: (task: ScanTask, onProgress?: OnProgress) => Promise<ScanReport>;
  readonly record: (
    task: ScanTask,
    onProgress?: OnProgress,
  ) => Promise<{ readonly report: ScanReport; readonly recording: Recording }>;
  readonly tryOverlay: (task: ScanTask, overlay: Overlay, onProgress?: OnProgress) => Promise<Trial>;
}

export type OnProgress = (progress: ScanProgress) => void;
