import { MeasuredProcess, scriptOf } from './processes.js';

/** A site of the bench, in a process of its own. */
export interface BenchSite {
  readonly port: number;
  /** One for each loopback address that it listens on, the first of them 127.0.0.1. */
  readonly origins: readonly string[];
  readonly process: MeasuredProcess;
}

/** Starts the site of the benches. @param hosts number of loopback addresses that it listens on */
export async function startSite(scheme: string, rttMs: number, hosts: number): Promise<BenchSite> {
  const process = new MeasuredProcess([scriptOf('servers/site'), scheme, String(rttMs), String(hosts)]);
  const port = Number((await process.lineMatching(/^port /)).split(' ')[1]);
  const origins = Array.from({ length: hosts }, (_, host) => `http://127.0.0.${host + 1}:${port}`);
  return { port, origins, process };
}
