import { NO_PROGRESS, type ScanProgress } from '../../scanner/report/progress.js';
import type { FreeScan, FreeScanTicket } from './free-scan.js';
import { Listeners } from '../../platform/listeners.js';

type Listener = (progress: ScanProgress) => void;

/** A running scan of this process, and its listeners. */
export class FreeScanJob implements FreeScanTicket {
  readonly isFresh = true;
  readonly done: Promise<FreeScan>;
  progress: ScanProgress = NO_PROGRESS;
  readonly #listeners = new Listeners<ScanProgress>();

  /** @param work begins at once */
  constructor(
    readonly hostname: string,
    work: (onProgress: Listener) => Promise<FreeScan>,
  ) {
    this.done = work((progress) => {
      this.progress = progress;
      this.#listeners.tell(progress);
    });
    // A failure without a listener must not end the process; listeners still get it.
    this.done.catch(() => undefined);
  }

  onProgress(listener: Listener): () => void {
    return this.#listeners.add(listener);
  }
}
