import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { registrableDomain } from '../../net/url-gate.js';
import { requireFound } from '../../platform/ids.js';
import { fetchSameHostMetas, fetchSameHostText, type NoText } from '../../scanner/client/same-host.js';
import type { Visit } from '../../scanner/client/visit.js';
import { readPages } from '../../store/batches.js';
import type { Sql } from '../../store/database.js';
import { defineQuery, table } from '../../store/query.js';
import type { Context } from '../context.js';
import type { Site, VerifiedBy } from './site.js';

/** Days until the next check of a proof that was found. A missing proof is checked daily. */
export const RECHECK_AFTER_DAYS = 30;

type TxtRecord = Readonly<Record<'name' | 'value', string>>;

export type ProofMethod = Exclude<VerifiedBy, 'operator'>;

/** A place where we looked for a proof. `expected` and `seen` never quote the site. */
export interface OwnershipAttempt {
  readonly method: ProofMethod;
  readonly isProof: boolean;
  /**
   * True if the proof is certainly not there: DNS has no such record, or the site answers without the token, with 404 or 410, or with a
   * redirect to another host, another port or http. False if nothing answers, or the site refuses us, fails or sends a challenge.
   */
  readonly isAbsent: boolean;
  /** True if any DNS or HTTP answer arrived. */
  readonly isAnswered: boolean;
  /** What must be published, and where. */
  readonly expected: string;
  readonly seen: string;
}

type ResolveTxt = Context['resolveTxt'];

const META_NAME = 'agent-readiness-verification';
const FILE_PATH = '/.well-known/agent-readiness-verification.txt';
const DNS_LABEL = '_agent-readiness';
/** Suffix with which the owner confirms that the record covers every subdomain. */
const COVERS_ALL = ' subdomains';

/** Returns a token of 192 random bits, with a prefix that says what it is for. */
export function newOwnershipToken(): string {
  return `agent-readiness-${randomBytes(24).toString('hex')}`;
}

const tokens = table('ownership_tokens');

/** @param host the host of a site, or a whole domain */
export async function readOwnershipToken(sql: Sql, account_id: string, host: string): Promise<string | undefined> {
  return (await sql.one(tokens.find({ account_id, host }, ['token'])))?.token;
}

const TOKENS_AT_ONCE = 200;

const selectTokensAfter = defineQuery<{ host: string; token: string }, { account_id: string; after: string }>(
  (sql, { account_id, after }) =>
    sql('ownership_tokens')
      .select('host', 'token')
      .where({ account_id })
      .where('host', '>', after)
      .orderBy('host')
      .limit(TOKENS_AT_ONCE),
);

/** Yields the account's ownership tokens, including those of whole domains and removed sites. */
export function exportOwnershipTokens(db: Sql, account_id: string): AsyncGenerator<object, void> {
  return readPages<{ host: string; token: string }>((last) =>
    db.run(selectTokensAfter({ account_id, after: last?.host ?? '' })),
  );
}

/** Where a proof can be published, other than the home page. */
export interface ProofLocations {
  /** Name of the TXT record; null if the host is an IP address. */
  readonly dnsName: string | null;
  readonly fileUrl: string;
}

/** Returns where to publish the proof. If a record of the whole domain verified the site, `dnsName` is the name of that record. */
export function proofLocations(site: Pick<Site, 'origin' | 'verifiedBy'>): ProofLocations {
  const { hostname } = new URL(site.origin);
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  const domain = site.verifiedBy === 'domain' ? domainOfSite(site) : null;
  return { dnsName: isAddress ? null : recordName(domain ?? hostname), fileUrl: site.origin + FILE_PATH };
}

/** Returns the TXT records that cover all subdomains of these registrable domains. */
export async function domainRecords(sql: Sql, account_id: string, domains: readonly string[]) {
  const rows = await sql.run(tokens.find({ account_id }, ['host', 'token']));
  const byHost = new Map(rows.map(({ host, token }) => [host, token]));
  return domains.flatMap((domain) => domainRecord(domain, byHost.get(domain)) ?? []);
}

function domainRecord(domain: string, token: string | undefined) {
  return token === undefined ? null : { domain, name: recordName(domain), value: token + COVERS_ALL };
}

function recordName(hostname: string): string {
  return `${DNS_LABEL}.${hostname}`;
}

/** Returns the registrable domain, which one record can cover; null if there is none. */
export function domainOfSite({ origin }: Pick<Site, 'origin'>): string | null {
  return registrableDomain(new URL(origin).hostname);
}

/** What an account can publish to prove that it owns a site. One of these is enough. */
export type OwnershipInstructions = Awaited<ReturnType<typeof readInstructions>>;

/** @throws InputError if the site was removed */
export async function readInstructions(sql: Sql, { accountId, hostname, origin }: Site) {
  const domain = domainOfSite({ origin });
  const token = requireFound('site', await readOwnershipToken(sql, accountId, hostname));
  const { dnsName, fileUrl } = proofLocations({ origin, verifiedBy: null });
  return {
    token,
    /** A TXT record; null if the host is an IP address. */
    dns: dnsName === null ? null : { name: dnsName, value: token },
    /** A TXT record that covers every subdomain of the registrable domain; null if there is no such domain. */
    domain: domain === null ? null : domainRecord(domain, await readOwnershipToken(sql, accountId, domain)),
    file: { url: fileUrl, body: token },
    /** A tag in the `<head>` of the home page. */
    meta: { url: `${origin}/`, tag: `<meta name="${META_NAME}" content="${token}">` },
  };
}

/**
 * Looks for the proof in DNS and, if it is not there, on the site. Never rejects because of the site.
 * @param openVisit called only if DNS has no proof
 */
export async function lookForProof(
  instructions: OwnershipInstructions,
  resolveTxt: ResolveTxt,
  openVisit: () => ReturnType<Context['openVisit']>,
): Promise<readonly OwnershipAttempt[]> {
  const { dns, domain } = instructions;
  const dnsAttempts = await Promise.all([
    ...(dns ? [tryDns('dns', dns, resolveTxt)] : []),
    ...(domain ? [tryDns('domain', domain, resolveTxt)] : []),
  ]);
  if (dnsAttempts.some(({ isProof }) => isProof)) return dnsAttempts;
  const { visit, close } = await openVisit();
  try {
    return [...dnsAttempts, ...(await Promise.all([tryFile(instructions, visit), tryMeta(instructions, visit)]))];
  } finally {
    await close();
  }
}

async function tryDns(method: 'dns' | 'domain', dns: TxtRecord, resolveTxt: ResolveTxt): Promise<OwnershipAttempt> {
  const found = await findRecord(dns, resolveTxt);
  const expected = `a TXT record at ${dns.name} with the value ${dns.value}`;
  const isProof = found === 'record';
  const isAnswered = found !== 'silent';
  return { method, expected, isProof, isAnswered, isAbsent: isAnswered && !isProof, seen: SEEN_IN_DNS[found] };
}

const SEEN_IN_DNS = {
  record: 'the record',
  none: 'no TXT record with this name yet',
  others: 'TXT records with this name, but none with this value',
  wildcard: 'the same answer for any other name, because of a wildcard record: add a TXT record with exactly this name',
  silent: 'DNS did not answer; try again in a minute',
};

/** Looks for a TXT record. Never rejects. */
async function findRecord({ name, value }: TxtRecord, resolveTxt: ResolveTxt): Promise<keyof typeof SEEN_IN_DNS> {
  const lookUp = async (host: string): Promise<readonly string[] | null> => resolveTxt(host).catch(() => null);
  const hasValue = (values: readonly string[]) => values.some((one) => one.trim().replaceAll(/\s+/g, ' ') === value);
  const values = await lookUp(name);
  if (values === null) return 'silent';
  if (!hasValue(values)) return values.length === 0 ? 'none' : 'others';
  // A wildcard CNAME may lead to someone else's zone, where they could publish the value.
  const control = await lookUp(name.replace(DNS_LABEL, `_${randomBytes(8).toString('hex')}`));
  if (control === null) return 'silent';
  return hasValue(control) ? 'wildcard' : 'record';
}

async function tryFile({ file }: OwnershipInstructions, visit: Visit): Promise<OwnershipAttempt> {
  const attempt = { method: 'file', expected: `the text ${file.body} and nothing else at ${file.url}` } as const;
  const answer = await fetchSameHostText(visit, new URL(file.url));
  if ('reason' in answer) return { ...attempt, ...failedCheck(answer, 'no such file') };
  // Editors add a byte order mark and a final line break.
  const isProof = answer.text.replace(/^\uFEFF/, '').trim() === file.body;
  return { ...attempt, ...checkResult(isProof, isProof ? 'the file' : 'a file with other text') };
}

async function tryMeta({ token, meta }: OwnershipInstructions, visit: Visit): Promise<OwnershipAttempt> {
  const attempt = { method: 'meta', expected: `${meta.tag} in the head of ${meta.url}` } as const;
  const answer = await fetchSameHostMetas(visit, new URL(meta.url), META_NAME);
  if ('reason' in answer) return { ...attempt, ...failedCheck(answer, 'no home page') };
  if (answer.contents.some((content) => content.trim() === token))
    return { ...attempt, ...checkResult(true, 'the meta tag') };
  const isMissing = answer.contents.length === 0;
  const seen = isMissing ? 'a home page without this meta tag in its head' : 'this meta tag with other content';
  return { ...attempt, ...checkResult(false, seen) };
}

function checkResult(isProof: boolean, seen: string) {
  return { isProof, isAbsent: !isProof, isAnswered: true, seen };
}

function failedCheck({ isAbsent, isAnswered, reason }: NoText, what: string) {
  return { isProof: false, isAbsent, isAnswered, seen: `${what}: ${reason}` };
}
