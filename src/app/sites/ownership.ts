import { isIP } from 'node:net';
import { fetchSameHostMetas, fetchSameHostText } from '../../scanner/client/same-host.js';
import { registrableDomain } from '../../net/registrable-domain.js';
import type { ScanTarget, Visit } from '../../scanner/client/visit.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { OwnSite } from './own-site.js';
import { takeCheck } from './ownership-checks.js';
import type { Site } from './site.js';
import type { Sites } from './sites.js';
import type { OnVerified } from './verify-sites.js';

export interface TxtRecord {
  readonly name: string;
  readonly value: string;
}

export interface DomainRecord extends TxtRecord {
  readonly domain: string;
}

/** What an account publishes to prove that a domain is theirs: any one of these will do. */
export interface OwnershipInstructions {
  readonly token: string;
  /** A TXT record; null where the host is an address, which has no name. */
  readonly dns: TxtRecord | null;
  /** One that covers every site of the account on a name of its registrable domain; null where there is none. */
  readonly domain: DomainRecord | null;
  readonly file: { readonly url: string; readonly body: string };
  /** In the `<head>` of the home page. */
  readonly meta: { readonly url: string; readonly tag: string };
}

export type OwnershipWay = 'dns' | 'file' | 'meta' | 'domain';

/** One way as it was found. Both texts are ours: nothing that the site sent is repeated. */
export interface OwnershipAttempt {
  readonly way: OwnershipWay;
  readonly isProof: boolean;
  /**
   * Whether it is certain that the proof is not there: the DNS says that there is no such record or name, or none with the token; the
   * site itself answers the file or its home page by 404 or 410, by a redirect to another host or port or to http, or without the
   * token. Not where the DNS does not answer, the site cannot be reached, refuses us, fails, or answers with a bot challenge.
   */
  readonly isAbsent: boolean;
  /** What had to be published, and where. */
  readonly expected: string;
  readonly seen: string;
}

export interface OwnershipReport {
  /** After the check. A verified site stays verified, whatever this check finds. */
  readonly site: Site;
  /** The way that proved it now, or null. */
  readonly provedBy: OwnershipWay | null;
  /** One for each way that the site has: an address has no TXT record. */
  readonly attempts: readonly OwnershipAttempt[];
}

export interface OwnershipDeps {
  readonly sites: Sites;
  /** One string a record; none where there is no record or name. Rejects when the DNS does not answer. */
  readonly resolveTxt: (name: string) => Promise<readonly string[]>;
  /** A guarded visit; closed after the check. */
  readonly openVisit: (target: ScanTarget) => Promise<{ readonly visit: Visit; close(): Promise<void> }>;
  /** Without it, account holders check as often as they like. */
  readonly rateLimits?: RateLimits;
  /** What follows once the holder of an account has proved a site that has no run. */
  readonly onFirstProof?: OnVerified;
}

const META_NAME = 'agent-readiness-verification';
const FILE_PATH = '/.well-known/agent-readiness-verification.txt';
const DNS_LABEL = '_agent-readiness';
/** Says that the record speaks for every name of the domain: its owner has to say so. */
const COVERS_ALL = ' subdomains';

/** For the holder of an account, or for the operator by the site's id: rejects with an InputError for a site that does not exist. */
export function createOwnership({ sites, resolveTxt, openVisit, rateLimits, onFirstProof }: OwnershipDeps) {
  const find = async (site: string | OwnSite): Promise<Site> => (typeof site === 'string' ? sites.get(site) : site);
  const lookIn = async (site: Site, domain: DomainRecord | null): Promise<readonly OwnershipAttempt[]> => {
    const what = instructionsFor(site, await sites.ownershipToken(site));
    const { visit, close } = await openVisit({ origin: new URL(site.origin), isOwnershipVerified: false });
    try {
      return await Promise.all([
        ...(what.dns ? [tryDns('dns', what.dns, resolveTxt)] : []),
        ...(domain ? [tryDns('domain', domain, resolveTxt)] : []),
        tryFile(what, visit),
        tryMeta(what, visit),
      ]);
    } finally {
      await close();
    }
  };
  return {
    /** Looks in all places and changes nothing. Nothing that the site does makes it reject. */
    look: async (site: Site) => lookIn(site, await domainRecordOf(site, sites)),
    async instructions(which: string | OwnSite): Promise<OwnershipInstructions> {
      const site = await find(which);
      const domain = await domainRecordOf(site, sites);
      return { ...instructionsFor(site, await sites.ownershipToken(site)), domain };
    },
    /** The same of many sites of one account; of a domain for which nobody has asked yet there is no record. */
    async instructionsOfMany(
      accountId: string,
      ofAccount: readonly Site[],
    ): Promise<readonly (readonly [Site, OwnershipInstructions])[]> {
      const tokens = await sites.ownershipTokens(accountId);
      return ofAccount.flatMap((site) => {
        const [token, domain] = [tokens.get(site.hostname), domainOfSite(site)];
        const ofDomain = domain === null ? undefined : tokens.get(domain);
        if (token === undefined) return [];
        const record = domain === null || ofDomain === undefined ? null : domainRecord(domain, ofDomain);
        return [[site, { ...instructionsFor(site, token), domain: record }] as const];
      });
    },
    /**
     * Looks for the token in all its places at once. Nothing that the site does makes it reject.
     * @param isOfMany whether many sites are checked at once
     * @throws TooSoonError as {@link takeCheck}: each check asks a site that may be a stranger's
     */
    async verify(which: string | OwnSite, isOfMany = false): Promise<OwnershipReport> {
      const isHolder = typeof which !== 'string';
      const site = await find(which);
      await sites.assertNotExcluded(site);
      if (rateLimits && isHolder) await takeCheck(rateLimits, site.accountId, isOfMany);
      const attempts = await lookIn(site, await madeDomainRecordOf(site, sites));
      const provedBy = attempts.find(({ isProof }) => isProof)?.way ?? null;
      if (provedBy === null) return { site, provedBy, attempts };
      const verified = await sites.markVerified(site.id, provedBy, isHolder ? onFirstProof : undefined);
      return { site: verified, provedBy, attempts };
    },
  };
}

export type Ownership = ReturnType<typeof createOwnership>;

/** Where a proof can be published that does not depend on the home page. */
export interface PlacesOfProof {
  /** The name of the TXT record; null where the host is an address, which has no name. */
  readonly dnsName: string | null;
  readonly fileUrl: string;
}

export function placesOfProof({ origin }: Pick<Site, 'origin'>): PlacesOfProof {
  const { hostname } = new URL(origin);
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return { dnsName: isAddress ? null : recordName(hostname), fileUrl: origin + FILE_PATH };
}

/** The same, with the record in place by which the site was verified: that of its domain, where it was. */
export function placesOfGivenProof(site: Pick<Site, 'origin' | 'verifiedBy'>): PlacesOfProof {
  const domain = site.verifiedBy === 'domain' ? domainOfSite(site) : null;
  return { ...placesOfProof(site), ...(domain !== null && { dnsName: recordName(domain) }) };
}

function recordName(hostname: string): string {
  return `${DNS_LABEL}.${hostname}`;
}

/** The domain that a record may cover with all its names; null where there is none. */
export function domainOfSite({ origin }: Pick<Site, 'origin'>): string | null {
  return registrableDomain(new URL(origin).hostname);
}

/** Null where there is no token of the domain yet: see `verify`. */
async function domainRecordOf(site: Site, sites: Sites): Promise<DomainRecord | null> {
  const domain = domainOfSite(site);
  const token = domain === null ? null : await sites.domainToken(site.accountId, domain);
  return domain === null || token === null ? null : domainRecord(domain, token);
}

/** The same, made where there is none: an earlier version made none for the sites that it added. */
async function madeDomainRecordOf(site: Site, sites: Sites): Promise<DomainRecord | null> {
  const domain = domainOfSite(site);
  if (domain === null) return null;
  return (
    (await domainRecordOf(site, sites)) ?? domainRecord(domain, await sites.newDomainToken(site.accountId, domain))
  );
}

export function domainRecord(domain: string, token: string): DomainRecord {
  return { domain, name: recordName(domain), value: token + COVERS_ALL };
}

function instructionsFor(site: Site, token: string): Omit<OwnershipInstructions, 'domain'> {
  const { origin } = site;
  const { dnsName, fileUrl } = placesOfProof(site);
  return {
    token,
    dns: dnsName === null ? null : { name: dnsName, value: token },
    file: { url: fileUrl, body: token },
    meta: { url: `${origin}/`, tag: `<meta name="${META_NAME}" content="${token}">` },
  };
}

async function tryDns(
  way: 'dns' | 'domain',
  dns: TxtRecord,
  resolveTxt: OwnershipDeps['resolveTxt'],
): Promise<OwnershipAttempt> {
  const expected = `a TXT record at ${dns.name} with the value ${dns.value}`;
  const values = await resolveTxt(dns.name).catch(() => null);
  if (values === null) {
    const seen = 'the DNS did not answer; try again in a minute';
    return { way, isProof: false, isAbsent: false, expected, seen };
  }
  const isProof = hasRecord(values, dns);
  const others =
    values.length === 0 ? 'no TXT record of this name yet' : 'TXT records of this name, but none with this value';
  return { way, isProof, isAbsent: !isProof, expected, seen: isProof ? 'the record' : others };
}

export function hasRecord(values: readonly string[], { value }: TxtRecord): boolean {
  return values.some((one) => one.trim().replaceAll(/\s+/g, ' ') === value);
}

async function tryFile({ file }: Pick<OwnershipInstructions, 'file'>, visit: Visit): Promise<OwnershipAttempt> {
  const expected = `the text ${file.body} and nothing else at ${file.url}`;
  const answer = await fetchSameHostText(visit, new URL(file.url));
  if ('reason' in answer) {
    const { isAbsent, reason } = answer;
    return { way: 'file', isProof: false, isAbsent, expected, seen: `no such file: ${reason}` };
  }
  // Editors add a byte order mark and a last line break.
  const isProof = answer.text.replace(/^\uFEFF/, '').trim() === file.body;
  return {
    way: 'file',
    isProof,
    isAbsent: !isProof,
    expected,
    seen: isProof ? 'the file' : 'a file with another text',
  };
}

async function tryMeta(
  { token, meta }: Pick<OwnershipInstructions, 'token' | 'meta'>,
  visit: Visit,
): Promise<OwnershipAttempt> {
  const expected = `${meta.tag} in the head of ${meta.url}`;
  const answer = await fetchSameHostMetas(visit, new URL(meta.url), META_NAME);
  if ('reason' in answer) {
    const { isAbsent, reason } = answer;
    return { way: 'meta', isProof: false, isAbsent, expected, seen: `no home page: ${reason}` };
  }
  const { contents } = answer;
  const isProof = contents.some((content) => content.trim() === token);
  const seen =
    contents.length === 0 ? 'a home page without this meta tag in its head' : 'this meta tag with another content';
  return { way: 'meta', isProof, isAbsent: !isProof, expected, seen: isProof ? 'the meta tag' : seen };
}
