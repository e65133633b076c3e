import { fileURLToPath } from 'node:url';
import { MeasuredProcess } from '../support/measured-process.js';

const SERVER = fileURLToPath(new URL('site-server.ts', import.meta.url));

/** The site of the bench, in a process of its own. */
export interface BenchSite {
  /** By the name in its certificate, which only our own scanner can be told the address of. */
  readonly origin: string;
  /** By its address. */
  readonly plainOrigin: string;
  /** One for each loopback address that it listens on, the first of them 127.0.0.1. */
  readonly origins: readonly string[];
  readonly port: number;
  /** What it was asked since the last question. */
  seen(): Promise<{ readonly requests: number; readonly connections: number }>;
  stop(): Promise<void>;
}

export async function startSite(scheme: 'plain' | 'tls', rttMs: number, hostCount = 1): Promise<BenchSite> {
  const process = new MeasuredProcess([SERVER, scheme, String(rttMs), String(hostCount)]);
  const port = Number((await process.lineMatching(/^port /)).split(' ')[1]);
  return {
    origin: `${scheme === 'tls' ? 'https' : 'http'}://secure.fixture-site.com:${port}`,
    plainOrigin: `http://127.0.0.1:${port}`,
    origins: Array.from({ length: hostCount }, (_, host) => `http://127.0.0.${host + 1}:${port}`),
    port,
    seen: async () => {
      const { requests, connections } = await process.askScript('seen');
      return { requests: Number(requests), connections: Number(connections) };
    },
    stop: () => process.stop(),
  };
}
