import type { ScanProgress } from '../scan/scan.js';
import type { FreeScan, FreeScanTicket } from './free-scan.js';

type Listener = (progress: ScanProgress) => void;

/** What is known of a scan before its first step, or of one that another process does. */
export const NO_PROGRESS: ScanProgress = { done: 0, total: 0, requestCount: 0 };

/** A scan that goes on in this process, and whoever waits for it. */
export class FreeScanJob implements FreeScanTicket {
  readonly isFresh = true;
  readonly done: Promise<FreeScan>;
  progress: ScanProgress = NO_PROGRESS;
  readonly #listeners = new Set<Listener>();

  /** @param work begins at once */
  constructor(
    readonly hostname: string,
    work: (onProgress: Listener) => Promise<FreeScan>,
  ) {
    this.done = work((progress) => {
      this.progress = progress;
      for (const listener of [...this.#listeners]) tell(listener, progress);
    });
    // Nobody need be waiting; whoever waits hears of the failure all the same.
    this.done.catch(() => undefined);
  }

  onProgress(listener: Listener): () => void {
    // One of its own, so that the same function may listen twice.
    const hear: Listener = (progress) => {
      listener(progress);
    };
    this.#listeners.add(hear);
    return () => {
      this.#listeners.delete(hear);
    };
  }
}

/** A listener that fails, such as one whose connection is gone, must not fail the scan. */
function tell(listener: Listener, progress: ScanProgress): void {
  try {
    listener(progress);
  } catch {
    return;
  }
}
