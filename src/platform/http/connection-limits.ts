import type { ConnectionRules } from './open-connections.js';
import type { PlaceLimits } from './places.js';

/** What clients may hold of a process at a time. */
export interface ConnectionLimits {
  readonly connections: ConnectionRules;
  /** Streams of events, each of which keeps a connection. */
  readonly streams: PlaceLimits;
}

/** Descriptors for files, the database, the log and name servers. */
const DESCRIPTORS_KEPT = 128;
const DESCRIPTORS_PER_SCAN = 16;
/** An idle connection takes about 15 kB. */
const CONNECTIONS_MAX = 8000;
const STREAMS_MAX = 1000;
const STREAMS_PER_ADDRESS = 24;
/** An address may hold this part of all connections. */
const ADDRESS_SHARE = 8;

/**
 * The limits that leave enough descriptors to what is not a client's connection: without them a crowd of idle clients stops scans
 * and answers.
 * @param descriptorsMax how many descriptors the process may have
 */
export function connectionLimitsOf(
  { scanConcurrency, trustProxy }: { readonly scanConcurrency: number; readonly trustProxy: number },
  descriptorsMax = readDescriptorsMax(),
): ConnectionLimits {
  const left = descriptorsMax - DESCRIPTORS_KEPT - DESCRIPTORS_PER_SCAN * scanConcurrency;
  // A process with few descriptors and many scans still answers.
  const total = Math.floor(Math.min(CONNECTIONS_MAX, Math.max(left, descriptorsMax / 4)));
  // All connections come from the proxy; streams know the client's address by its header.
  const perAddress = trustProxy > 0 ? total : Math.ceil(total / ADDRESS_SHARE);
  return {
    connections: { total, perAddress, isBehindProxy: trustProxy > 0 },
    streams: { total: Math.min(STREAMS_MAX, Math.ceil(total / 4)), perAddress: STREAMS_PER_ADDRESS },
  };
}

/** Node raises the soft limit to the hard one when it starts. */
function readDescriptorsMax(): number {
  // It would look up the names of those at the other ends.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | string } };
  };
  const soft = Number(userLimits?.open_files?.soft);
  // "unlimited", and Windows, which has no such limit.
  return Number.isFinite(soft) ? soft : Infinity;
}
