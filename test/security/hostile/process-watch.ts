import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** What one stretch of time did to this process. */
export interface Stretch {
  /** Delay of the event loop, the sampler's own interval taken off. */
  readonly p99Ms: number;
  /** The same by this process's own processor time: what would be left of it on a machine that does nothing else. */
  readonly ownP99Ms: number;
  readonly maxMs: number;
  /** The processor time of this process in the longest delay: much less than it, where the machine was busy with something else. */
  readonly maxCpuMs: number;
  readonly peakRssMib: number;
  readonly seconds: readonly Second[];
}

/** One second of a stretch, or a little more where the event loop was late at its end. */
export interface Second {
  /** Delays of the event loop by this process's own processor time. */
  readonly minMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** At its end. */
  readonly rssMib: number;
  /** Of them, what JavaScript holds, garbage included. */
  readonly heapMib: number;
  /** And what buffers hold beside it. */
  readonly buffersMib: number;
}

const SAMPLE_MS = 10;
const MIB = 1_048_576;

/** Watches the delay of the event loop and the resident memory of this process until it is asked. */
export class ProcessWatch {
  readonly #delays = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  readonly #ownDelays = createHistogram();
  readonly #ownDelaysOfSecond = createHistogram();
  readonly #seconds: Second[] = [];
  readonly #timer: NodeJS.Timeout;
  #lastMs = performance.now();
  #secondBeganMs = this.#lastMs;
  #lastCpu = process.cpuUsage();
  #longest = { gapMs: 0, cpuMs: 0 };
  #peakRssMib = rssMib();

  constructor() {
    this.#delays.enable();
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  end(): Stretch {
    this.#sample();
    this.#endSecond();
    this.#delays.disable();
    clearInterval(this.#timer);
    return {
      p99Ms: Math.max(0, this.#delays.percentile(99) / 1e6 - SAMPLE_MS),
      ownP99Ms: this.#ownDelays.percentile(99) / 1000,
      maxMs: Math.max(0, this.#delays.max / 1e6 - SAMPLE_MS, this.#longest.gapMs - SAMPLE_MS),
      maxCpuMs: this.#longest.cpuMs,
      peakRssMib: this.#peakRssMib,
      seconds: this.#seconds,
    };
  }

  #sample(): void {
    const gapMs = performance.now() - this.#lastMs;
    const { user, system } = process.cpuUsage(this.#lastCpu);
    if (gapMs > this.#longest.gapMs) this.#longest = { gapMs, cpuMs: (user + system) / 1000 };
    const ownMs = Math.min(gapMs - SAMPLE_MS, (user + system) / 1000);
    const ownUs = Math.max(1, Math.round(ownMs * 1000));
    this.#ownDelays.record(ownUs);
    this.#ownDelaysOfSecond.record(ownUs);
    this.#lastMs += gapMs;
    this.#lastCpu = process.cpuUsage();
    this.#peakRssMib = Math.max(this.#peakRssMib, rssMib());
    if (this.#lastMs - this.#secondBeganMs >= 1000) this.#endSecond();
  }

  #endSecond(): void {
    const { min, max } = this.#ownDelaysOfSecond;
    const { rss, heapTotal, external } = process.memoryUsage();
    this.#seconds.push({
      ...{ minMs: min / 1000, p99Ms: this.#ownDelaysOfSecond.percentile(99) / 1000, maxMs: max / 1000 },
      ...{ rssMib: rss / MIB, heapMib: heapTotal / MIB, buffersMib: external / MIB },
    });
    this.#ownDelaysOfSecond.reset();
    this.#secondBeganMs = this.#lastMs;
  }
}

export function rssMib(): number {
  return process.memoryUsage.rss() / MIB;
}
