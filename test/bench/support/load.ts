import { Client } from 'undici';

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
  const { origin, path, headers, requestCount, connections, status = 200 } = options;
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
        const answer = await client.request({ method: 'GET', path: path(index), ...(headers && { headers }) });
        await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
        latenciesMs[index] = performance.now() - sentMs;
        if (answer.statusCode !== status) throw new Error(`${path(index)} answered ${answer.statusCode}`);
      }
      await client.close();
    }),
  );
  return { wallMs: performance.now() - startedMs, latenciesMs: latenciesMs.sort() };
}

/** @param sorted ascending */
export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function medianOf(values: readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}
