import { Resolver as DnsResolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { BoundedMap } from './keyed.js';
import { TransportError } from './transport.js';

/** Resolves names to addresses and TXT records, by DNS alone: no hosts file, no search domains. */
export interface Resolver {
  /** IPv4 addresses first; never empty. Rejects with a TransportError: name_not_found or dns_failed. */
  resolveAddresses(host: string): Promise<readonly string[]>;
  /** One string per record, with its parts joined; empty if there is no such record or name. Rejects with dns_failed. */
  resolveTxt(host: string): Promise<readonly string[]>;
  /** Whether the DNS answers that there is no such name (NXDOMAIN). False for every other answer, for failure and for silence; never rejects. */
  isNameGone(host: string): Promise<boolean>;
}

export interface ResolverOptions {
  /** Such as `127.0.0.1:5353`; by default the system's. */
  readonly servers?: readonly string[];
  /** For the first try of a query; the second one waits twice as long. */
  readonly timeoutMs?: number;
  /** A clock that only goes forward, in milliseconds; for tests. */
  readonly nowMs?: () => number;
}

/** How long a missing AAAA answer may delay an A answer: some name servers never answer AAAA queries. */
const SECOND_FAMILY_GRACE_MS = 500;

/** How long an answer is kept at most, whatever its TTL, and how many are. */
const KEPT_MAX_S = 60;
const KEPT_MAX = 10_000;

/**
 * A resolver on c-ares: `dns.lookup` has four threads for the whole process, so 64 lookups of 100 ms would take it 3.2 s. Create
 * one per process. It keeps addresses for their TTL, a minute at most: the guard vets them at each use, and connects to that very
 * answer.
 */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const dns = new DnsResolver({ timeout: options.timeoutMs ?? 1500, tries: 2 });
  if (options.servers) dns.setServers(options.servers);
  const nowMs = options.nowMs ?? (() => performance.now());
  const kept = new BoundedMap<string, { readonly addresses: readonly string[]; readonly untilMs: number }>(KEPT_MAX);
  return {
    resolveAddresses: async (host) => {
      const known = kept.get(host);
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
        // In one order, though servers rotate them: the first stands for the server.
        const addresses = [first, second].flatMap((answer) => answer.records.map(({ address }) => address).sort());
        const ttlS = Math.min(KEPT_MAX_S, ...records.map(({ ttl }) => ttl));
        // Without an answer for IPv4 it may be half of the truth.
        const isWhole = first.code === null || first.code === 'ENODATA';
        if (isWhole && ttlS > 0) kept.set(host, { addresses, untilMs: nowMs() + ttlS * 1000 });
        return addresses;
      }
      throw new TransportError(
        first.code === 'ENOTFOUND' && second.code === 'ENOTFOUND' ? 'name_not_found' : 'dns_failed',
      );
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

const NO_ANSWER: Answer<never> = { records: [], code: 'ETIMEOUT' };

async function answerTo<T>(query: Promise<readonly T[]>): Promise<Answer<T>> {
  try {
    return { records: await query, code: null };
  } catch (error) {
    return { records: [], code: (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN' };
  }
}
