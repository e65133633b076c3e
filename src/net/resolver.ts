import { Resolver as DnsResolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type FetchFailure, TransportError } from './failure.js';

/** Resolves names by DNS only, without the hosts file or search domains. */
export interface Resolver {
  /** IPv4 addresses first; never empty. Rejects with a TransportError: name_not_found, dns_failed or dns_silent. */
  resolveAddresses(host: string): Promise<readonly string[]>;
  /** One string per record, with its parts joined; empty if there is no such record or name. Rejects with dns_failed. */
  resolveTxt(host: string): Promise<readonly string[]>;
  /** True only if DNS says that the name does not exist (NXDOMAIN). Never rejects. */
  isNameGone(host: string): Promise<boolean>;
}

export interface ResolverOptions {
  /** DNS servers, such as `127.0.0.1:5353`. Default: the system's. */
  readonly servers?: readonly string[];
  /** Time limit of the first try; the second one waits twice as long. */
  readonly timeoutMs?: number;
}

/** How long a missing AAAA answer may delay an A answer: some name servers never answer AAAA queries. */
const V6_GRACE_MS = 500;

/**
 * Creates a resolver on c-ares; use one per process. `dns.lookup` shares four threads with the whole process, so concurrent lookups
 * would queue.
 */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const dns = new DnsResolver({ timeout: options.timeoutMs ?? 1500, tries: 2 });
  if (options.servers) dns.setServers(options.servers);
  return {
    resolveAddresses: async (host) => {
      const v6Query = queryDns(dns.resolve6(host));
      const v4 = await queryDns(dns.resolve4(host));
      const hasV4 = v4.records.length > 0;
      const v6 = await (hasV4 ? Promise.race([v6Query, delay(V6_GRACE_MS, NO_ANSWER, { ref: false })]) : v6Query);
      // Sorted, since servers rotate them and limits apply to the first address.
      const addresses = [v4, v6].flatMap(({ records }) => records.toSorted());
      if (addresses.length > 0) return addresses;
      throw new TransportError(dnsFailureOf([v4.code, v6.code]));
    },
    resolveTxt: async (host) => {
      const { records, code } = await queryDns(dns.resolveTxt(host));
      if (code !== null && code !== 'ENOTFOUND' && code !== 'ENODATA') throw new TransportError('dns_failed');
      return records.map((parts) => parts.join(''));
    },
    // NXDOMAIN applies to every type of record (RFC 2308 §2.1).
    isNameGone: async (host) => (await queryDns(dns.resolveTxt(host))).code === 'ENOTFOUND',
  };
}

interface Answer<T> {
  readonly records: readonly T[];
  /** Error code of c-ares; null if DNS answered with records. */
  readonly code: string | null;
}

/** Codes for DNS servers that do not listen, or do not answer in time. */
const SILENT_CODES = ['ECONNREFUSED', 'ETIMEOUT'];

function dnsFailureOf(codes: readonly (string | null)[]): FetchFailure {
  if (codes.every((code) => code === 'ENOTFOUND')) return 'name_not_found';
  return codes.every((code) => SILENT_CODES.includes(code ?? '')) ? 'dns_silent' : 'dns_failed';
}

const NO_ANSWER: Answer<never> = { records: [], code: 'ETIMEOUT' };

async function queryDns<T>(query: Promise<readonly T[]>): Promise<Answer<T>> {
  try {
    return { records: await query, code: null };
  } catch (error) {
    return { records: [], code: (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN' };
  }
}
