import { Resolver as DnsResolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { FetchFailure } from './failure.js';
import { BoundedMap } from './keyed.js';
import { TransportError } from './transport.js';

/** Resolves names to addresses and TXT records, by DNS alone: no hosts file, no search domains. */
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
  /** A clock that only goes forward, in milliseconds; for tests. */
  readonly nowMs?: () => number;
}

/** How long a missing AAAA answer may delay an A answer: some name servers never answer AAAA queries. */
const SECOND_FAMILY_GRACE_MS = 500;

/** Limits of the cache; a longer TTL is shortened. */
const CACHE_TTL_MAX_S = 60;
const CACHE_ENTRIES_MAX = 10_000;

/**
 * Creates a resolver on c-ares; use one per process. `dns.lookup` has four threads for the whole process, so it would need 3.2 s for 64
 * lookups of 100 ms. Caches addresses for their TTL, at most a minute: the guard vets them at each use.
 */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const dns = new DnsResolver({ timeout: options.timeoutMs ?? 1500, tries: 2 });
  if (options.servers) dns.setServers(options.servers);
  const nowMs = options.nowMs ?? (() => performance.now());
  const cache = new BoundedMap<string, { readonly addresses: readonly string[]; readonly untilMs: number }>(
    CACHE_ENTRIES_MAX,
  );
  return {
    resolveAddresses: async (host) => {
      const known = cache.get(host);
      if (known && known.untilMs > nowMs()) return known.addresses;
      const v4 = answerTo(dns.resolve4(host, { ttl: true }));
      const v6 = answerTo(dns.resolve6(host, { ttl: true }));
      const first = await v4;
      const grace = new AbortController();
      const waits = [
        v6,
        ...(first.records.length > 0 ? [delay(SECOND_FAMILY_GRACE_MS, NO_ANSWER, { signal: grace.signal })] : []),
      ];
      const second = await Promise.race(waits);
      grace.abort();
      const records = [...first.records, ...second.records];
      if (records.length > 0) {
        // Sorted, since servers rotate them and limits apply to the first address.
        const addresses = [first, second].flatMap((answer) => answer.records.map(({ address }) => address).sort());
        const ttlS = Math.min(CACHE_TTL_MAX_S, ...records.map(({ ttl }) => ttl));
        // After a failed IPv4 query, the list may be incomplete.
        const isComplete = first.code === null || first.code === 'ENODATA';
        if (isComplete && ttlS > 0) cache.set(host, { addresses, untilMs: nowMs() + ttlS * 1000 });
        return addresses;
      }
      throw new TransportError(failureOf([first.code, second.code]));
    },
    resolveTxt: async (host) => {
      const { records, code } = await answerTo(dns.resolveTxt(host));
      if (code !== null && code !== 'ENOTFOUND' && code !== 'ENODATA') throw new TransportError('dns_failed');
      return records.map((parts) => parts.join(''));
    },
    // The answer is the same for every type of record (RFC 2308 §2.1).
    isNameGone: async (host) => (await answerTo(dns.resolveTxt(host))).code === 'ENOTFOUND',
  };
}

interface Answer<T> {
  readonly records: readonly T[];
  /** The c-ares code if there are no addresses. */
  readonly code: string | null;
}

/** No resolver listens, or none answers in time. */
const SILENT_CODES = ['ECONNREFUSED', 'ETIMEOUT'];

function failureOf(codes: readonly (string | null)[]): FetchFailure {
  if (codes.every((code) => code === 'ENOTFOUND')) return 'name_not_found';
  return codes.every((code) => SILENT_CODES.includes(code ?? '')) ? 'dns_silent' : 'dns_failed';
}

const NO_ANSWER: Answer<never> = { records: [], code: 'ETIMEOUT' };

async function answerTo<T>(query: Promise<readonly T[]>): Promise<Answer<T>> {
  try {
    return { records: await query, code: null };
  } catch (error) {
    return { records: [], code: (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN' };
  }
}
