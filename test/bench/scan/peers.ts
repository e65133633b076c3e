import { fileURLToPath } from 'node:url';
import type { BenchSite } from './site.js';

/** A program that scans a site from the command line. */
export interface Peer {
  readonly name: string;
  readonly args: (site: BenchSite) => readonly string[];
  readonly environment?: (site: BenchSite) => Readonly<Record<string, string>>;
}

const MAIN = fileURLToPath(new URL('../../../shipped/src/main.js', import.meta.url));
const binOf = (name: string, bin: string): string =>
  fileURLToPath(new URL(`../node_modules/${name}/bin/${bin}`, import.meta.url));

export const PEERS: readonly Peer[] = [
  {
    name: 'this project',
    args: ({ plainOrigin }) => [MAIN, 'scan', plainOrigin, '--format', 'json'],
    environment: ({ port }) => ({ SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_ALLOW_PORTS: String(port) }),
  },
  {
    name: 'agent-readiness (npm)',
    args: ({ plainOrigin }) => [binOf('agent-readiness', 'agent-ready.mjs'), plainOrigin],
  },
  {
    name: 'afdocs',
    args: ({ plainOrigin }) => [binOf('afdocs', 'afdocs.mjs'), 'check', plainOrigin, '--format', 'json'],
  },
];
