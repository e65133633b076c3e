import { fileURLToPath } from 'node:url';
import { MeasuredProcess } from '../support/measured-process.js';

const SERVER = fileURLToPath(new URL('site-server.js', import.meta.url));

/** By plain HTTP; by TLS with HTTP/1.1 alone; by TLS with HTTP/2 on offer. */
export type SiteScheme = 'plain' | 'tls' | 'h2';

/** What the site was asked. */
export interface Seen {
  readonly requests: number;
  readonly connections: number;
  /** The versions of HTTP that the requests came by, such as `HTTP/1.1`. */
  readonly protocols: readonly string[];
}

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
  seen(): Promise<Seen>;
  stop(): Promise<void>;
}

export async function startSite(scheme: SiteScheme, rttMs: number, hostCount = 1): Promise<BenchSite> {
  const process = new MeasuredProcess([SERVER, scheme, String(rttMs), String(hostCount)]);
  const port = Number((await process.lineMatching(/^port /)).split(' ')[1]);
  return {
    origin: `${scheme === 'plain' ? 'http' : 'https'}://secure.fixture-site.com:${port}`,
    plainOrigin: `http://127.0.0.1:${port}`,
    origins: loopbackOrigins(port, hostCount),
    port,
    seen: async () => (await process.askScript('seen')) as unknown as Seen,
    stop: () => process.stop(),
  };
}

/** Of as many loopback addresses, the first of them 127.0.0.1. */
export function loopbackOrigins(port: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, host) => `http://127.0.0.${host + 1}:${port}`);
}
