import { MeasuredProcess, scriptOf } from './processes.js';

/** A site of the bench, in a process of its own. */
export interface BenchSite {
  readonly port: number;
  /** One for each loopback address that it listens on, the first of them 127.0.0.1. */
  readonly origins: readonly string[];
  readonly process: MeasuredProcess;
}

/** @param args of the script, the last how many addresses */
export async function startSite(script: string, ...args: readonly [...unknown[], hosts: number]): Promise<BenchSite> {
  const process = new MeasuredProcess([scriptOf(`servers/${script}`), ...args.map(String)]);
  const port = Number((await process.lineMatching(/^port /)).split(' ')[1]);
  const origins = Array.from({ length: args.at(-1) as number }, (_, host) => `http://127.0.0.${host + 1}:${port}`);
  return { port, origins, process };
}
