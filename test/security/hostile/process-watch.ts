import { readFileSync } from 'node:fs';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** What one stretch of time did to this process. */
export interface Stretch extends Delays {
  readonly peakRssMib: number;
  readonly seconds: readonly Second[];
}

/** Delays of the event loop. */
export interface Delays {
  /** By the loop's own histogram, its interval taken off. */
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The same without the time that this thread waited for a processor: what is left of it on a machine that does nothing else. */
  readonly ownP99Ms: number;
  readonly ownMaxMs: number;
}

/** One second of a stretch, or a little more where the event loop was late at its end. */
export interface Second extends Delays {
  readonly peakRssMib: number;
  /** At its end: what JavaScript holds, garbage included. */
  readonly heapMib: number;
  /** And what is held alongside it for JavaScript: buffers, and the state of decoders. */
  readonly buffersMib: number;
}

const SAMPLE_MS = 10;
const MIB = 1_048_576;

/** Watches the delay of the event loop and the resident memory of this process until it is asked. */
export class ProcessWatch {
  readonly #whole = new DelayCount();
  readonly #second = new DelayCount();
  readonly #seconds: Second[] = [];
  readonly #timer: NodeJS.Timeout;
  #last = { ms: performance.now(), waitedMs: threadTimes().waitedMs };
  #secondBeganMs = this.#last.ms;
  #peakRssMib = rssMib();

  constructor() {
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  end(): Stretch {
    this.#sample();
    this.#endSecond();
    clearInterval(this.#timer);
    this.#second.stop();
    this.#whole.stop();
    return {
      ...this.#whole.delays,
      peakRssMib: Math.max(...this.#seconds.map(({ peakRssMib }) => peakRssMib)),
      seconds: this.#seconds,
    };
  }

  #sample(): void {
    const ms = performance.now();
    const { waitedMs } = threadTimes();
    const ownMs = ms - this.#last.ms - SAMPLE_MS - (waitedMs - this.#last.waitedMs);
    this.#whole.add(ownMs);
    this.#second.add(ownMs);
    this.#last = { ms, waitedMs };
    this.#peakRssMib = Math.max(this.#peakRssMib, rssMib());
    if (ms - this.#secondBeganMs >= 1000) this.#endSecond();
  }

  #endSecond(): void {
    const { heapTotal, external } = process.memoryUsage();
    const memory = { peakRssMib: this.#peakRssMib, heapMib: heapTotal / MIB, buffersMib: external / MIB };
    this.#seconds.push({ ...this.#second.delays, ...memory });
    this.#second.reset();
    this.#secondBeganMs = this.#last.ms;
    this.#peakRssMib = rssMib();
  }
}

class DelayCount {
  readonly #loop = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  readonly #own = createHistogram();

  constructor() {
    this.#loop.enable();
  }

  add(ownMs: number): void {
    this.#own.record(Math.max(1, Math.round(ownMs * 1000)));
  }

  get delays(): Delays {
    const loopMs = (ns: number): number => Math.max(0, ns / 1e6 - SAMPLE_MS);
    return {
      ...{ p99Ms: loopMs(this.#loop.percentile(99)), maxMs: loopMs(this.#loop.max) },
      ...{ ownP99Ms: this.#own.percentile(99) / 1000, ownMaxMs: this.#own.max / 1000 },
    };
  }

  reset(): void {
    this.#loop.reset();
    this.#own.reset();
  }

  stop(): void {
    this.#loop.disable();
  }
}

/** Milliseconds that this thread has been on a processor, and has waited for one; where the system does not tell, those of the clock. */
export function threadTimes(): { readonly ranMs: number; readonly waitedMs: number } {
  try {
    const [ranNs, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
    return { ranMs: Number(ranNs) / 1e6, waitedMs: Number(waitedNs) / 1e6 };
  } catch {
    return { ranMs: performance.now(), waitedMs: 0 };
  }
}

export function rssMib(): number {
  return process.memoryUsage.rss() / MIB;
}
