import type { EarlyResult } from '../../src/scanner/report/progress.js';
import { NO_PROGRESS } from '../../src/scanner/report/progress.js';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import { scanReport } from './accounts.js';

interface StartedScan {
  /** @param judged results of the checks so far */
  progress(done: number, judged?: readonly EarlyResult[]): void;
  finish(report?: ScanReport): void;
  fail(error: Error): void;
}

/** A scan that the test advances. */
export class HeldScan {
  readonly started: StartedScan[] = [];
  #onStart: () => void = () => undefined;

  readonly scan: Scanner = (_target, onProgress) =>
    new Promise((resolve, reject) => {
      this.started.push({
        progress: (done, judged = []) =>
          onProgress?.({ ...NO_PROGRESS, done, total: 20, requestCount: done * 2, judged }),
        finish: (report = scanReport()) => {
          resolve(report);
        },
        fail: reject,
      });
      this.#onStart();
    });

  /** Resolves once this many scans have begun. */
  async begun(count: number): Promise<void> {
    while (this.started.length < count) await new Promise<void>((resolve) => (this.#onStart = resolve));
  }

  get last(): StartedScan {
    const last = this.started.at(-1);
    if (!last) throw new Error('no scan has begun');
    return last;
  }
}
