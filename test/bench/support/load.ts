import { setTimeout as pause } from 'node:timers/promises';
import { Client, type Dispatcher, Pool } from 'undici';

export interface LoadOptions {
  readonly origin: string;
  /** The path of the n-th request. */
  readonly path: (index: number) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestCount: number;
  /** Each sends its next request when it has the answer to the last. */
  readonly connections: number;
  /** What every answer has to be; anything else ends the bench. */
  readonly status?: number;
}

export interface LoadResult {
  readonly wallMs: number;
  /** Of each request, ascending. */
  readonly latenciesMs: Float64Array;
}

/** Sends requests over connections that stay open, and reads every answer to its end. */
export async function sendLoad(options: LoadOptions): Promise<LoadResult> {
  const { origin, requestCount, connections } = options;
  const latenciesMs = new Float64Array(requestCount);
  let next = 0;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(origin, { pipelining: 1 });
      while (next < requestCount) {
        const index = next;
        next += 1;
        const sentMs = performance.now();
        await ask(client, options, index);
        latenciesMs[index] = performance.now() - sentMs;
      }
      await client.close();
    }),
  );
  return { wallMs: performance.now() - startedMs, latenciesMs: latenciesMs.sort() };
}

/**
 * Sends as many requests a second as it is told to, however slow the answers: each latency counts from the moment at which the request was due, so
 * that a stall is felt by all that fell into it.
 */
export async function sendAtRate(options: LoadOptions & { readonly perSecond: number }): Promise<LoadResult> {
  const { origin, requestCount, connections, perSecond } = options;
  const latenciesMs = new Float64Array(requestCount);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const startedMs = performance.now();
  const answered: Promise<void>[] = [];
  for (let index = 0; index < requestCount; index += 1) {
    const dueMs = startedMs + (index * 1000) / perSecond;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await pause(earlyMs);
    answered.push(ask(pool, options, index).then(() => void (latenciesMs[index] = performance.now() - dueMs)));
  }
  await Promise.all(answered);
  await pool.close();
  return { wallMs: performance.now() - startedMs, latenciesMs: latenciesMs.sort() };
}

async function ask(to: Dispatcher, { path, headers, status = 200 }: LoadOptions, index: number): Promise<void> {
  const answer = await to.request({ method: 'GET', path: path(index), ...(headers && { headers }) });
  await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
  if (answer.statusCode !== status) throw new Error(`${path(index)} answered ${answer.statusCode}`);
}

/** @param sorted ascending */
export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function medianOf(values: readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}
