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
}

const SAMPLE_MS = 10;
const MIB = 1_048_576;

/** Watches the delay of the event loop and the resident memory of this process until it is asked. */
export class ProcessWatch {
  readonly #delays = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  readonly #ownDelays = createHistogram();
  readonly #timer: NodeJS.Timeout;
  #lastMs = performance.now();
  #lastCpu = process.cpuUsage();
  #longest = { gapMs: 0, cpuMs: 0 };
  #peakRssMib = rssMib();

  constructor() {
    this.#delays.enable();
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  end(): Stretch {
    this.#sample();
    this.#delays.disable();
    clearInterval(this.#timer);
    return {
      p99Ms: Math.max(0, this.#delays.percentile(99) / 1e6 - SAMPLE_MS),
      ownP99Ms: this.#ownDelays.percentile(99) / 1000,
      maxMs: Math.max(0, this.#delays.max / 1e6 - SAMPLE_MS, this.#longest.gapMs - SAMPLE_MS),
      maxCpuMs: this.#longest.cpuMs,
      peakRssMib: this.#peakRssMib,
    };
  }

  #sample(): void {
    const gapMs = performance.now() - this.#lastMs;
    const { user, system } = process.cpuUsage(this.#lastCpu);
    if (gapMs > this.#longest.gapMs) this.#longest = { gapMs, cpuMs: (user + system) / 1000 };
    const ownMs = Math.min(gapMs - SAMPLE_MS, (user + system) / 1000);
    this.#ownDelays.record(Math.max(1, Math.round(ownMs * 1000)));
    this.#lastMs += gapMs;
    this.#lastCpu = process.cpuUsage();
    this.#peakRssMib = Math.max(this.#peakRssMib, rssMib());
  }
}

export function rssMib(): number {
  return process.memoryUsage.rss() / MIB;
}
