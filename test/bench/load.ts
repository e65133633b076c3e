import autocannon, { type Request, type Result } from 'autocannon';

export interface Load {
  readonly origin: string;
  /** The path of the n-th request. */
  readonly path: (index: number) => string;
  readonly headers?: Record<string, string>;
  /** Each sends its next request when it has the answer to the last. */
  readonly connections: number;
  /** How many requests are sent; or until when. */
  readonly ends: number | Promise<unknown>;
  /** So many requests a second however slow the answers, each of whose times counts from when it was due; in whole milliseconds. */
  readonly perSecond?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Sends requests over connections that stay open. Any answer but 2xx ends the bench. */
export async function sendLoad({ origin, path, headers, connections, ends, perSecond }: Load): Promise<LoadResult> {
  let next = 0;
  const times: number[] = [];
  const beganMs = performance.now();
  let lastMs = beganMs;
  const options = {
    ...{ url: origin, connections, timeout: 120, ...(headers && { headers }) },
    ...(typeof ends === 'number' ? { amount: ends } : { duration: 3600 }),
    ...(perSecond !== undefined && { overallRate: perSecond }),
    requests: [{ setupRequest: (request: Request) => ({ ...request, path: path(next++) }) }],
  };
  const { errors, non2xx, latency, statusCodeStats } = await new Promise<Result>((resolve, reject) => {
    const sending = autocannon(options, (error: unknown, result) => (error ? reject(error as Error) : resolve(result)));
    sending.on('response', (_client, _status, _bytes, ms) => {
      times.push(ms);
      lastMs = performance.now();
    });
    if (typeof ends !== 'number') void ends.finally(() => sending.stop());
  });
  if (errors + non2xx > 0) {
    const statuses = Object.keys(statusCodeStats ?? {}).join(', ');
    throw new Error(`${path(0)}: ${errors} requests without an answer, ${non2xx} refused (${statuses})`);
  }
  const [p50, p99] =
    perSecond === undefined ? [quantile(times, 0.5), quantile(times, 0.99)] : [latency.p50, latency.p99];
  return { perSecond: (times.length * 1000) / (lastMs - beganMs), p50, p99 };
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

export function medianOf(values: readonly number[]): number {
  return quantile(values, 0.5);
}
