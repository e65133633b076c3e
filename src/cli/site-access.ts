import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { describeRefusal, parsePageUrl, parseSitePage, parseSiteInput } from '../app/sites/site-input.js';
import { isPrivateHost, literalAddressOf } from '../net/address.js';
import { distinctBy } from '../net/keyed.js';
import { REFUSALS, type RefusalReason } from '../net/url-gate.js';
import { InputError } from '../platform/errors.js';
import { SCAN_LIMITS } from '../scanner/artifacts/scanner.js';
import type { ScanTarget } from '../scanner/client/visit.js';
import { moveTo } from '../scanner/client/stand-in.js';
import type { ScannerDeps, Scanners } from '../scanner/scan/scanner.js';
import type { ScanOptions } from './scan-options.js';

/** Command-line options that say how to reach a site. */
export interface SiteAccess extends Pick<ScannerDeps, 'preview' | 'siteFields' | 'listeners'> {
  /** The user's own server, which may be private. */
  readonly local?: URL;
}

export interface ScanCommandDeps extends Scanners {
  /** Returns why the guard refuses a target; null if it accepts it. */
  readonly vetTarget: (origin: URL) => Promise<RefusalReason | null>;
}

export interface Target {
  readonly address: string;
  /** The site that a preview is judged as: the value of `--as`. */
  readonly as?: string | undefined;
  /** Paths or addresses of pages to read first. */
  readonly pages?: readonly string[] | undefined;
  readonly isLocal?: boolean | undefined;
}

/**
 * Parses the scan's target. A page in the address comes before the chosen pages.
 * @param pagesOption name of the option that lists the pages, for errors
 * @throws InputError
 */
export function parseTarget({ address, as, pages = [], isLocal = false }: Target, pagesOption: string) {
  const { origin, hostname } = parseSiteInput(address);
  const judgedAs = as === undefined ? null : parseJudgedAs(as);
  const ownPage = parsePageUrl(address);
  const chosen = pages.map((text) => parseSitePage(origin, text.trim(), pagesOption));
  const distinct = distinctBy([...(ownPage ? [ownPage] : []), ...chosen], ({ href }) => href);
  const { chosenPagesMax: max } = SCAN_LIMITS;
  if (distinct.length > max)
    throw new InputError(`${pagesOption}: you chose ${distinct.length} pages. Choose at most ${max}.`);
  const targetPages = judgedAs === null ? distinct : distinct.map((page) => moveTo(judgedAs, page));
  const access: SiteAccess = {
    ...(isLocal && { local: origin }),
    ...(judgedAs && { preview: { site: judgedAs, servedBy: origin } }),
  };
  return {
    access,
    target: {
      origin: judgedAs ?? origin,
      isOwnershipVerified: false,
      ...(targetPages.length > 0 && { pages: targetPages }),
    } as ScanTarget,
    site: { hostname, origin: origin.origin, ...(judgedAs && { judgedAs: judgedAs.origin }) },
  };
}

function parseJudgedAs(as: string): URL {
  try {
    const { origin } = parseSiteInput(as);
    if (parsePageUrl(as) === null) return origin;
  } catch (error) {
    throw error instanceof InputError ? new InputError(`--as: ${error.message}`) : error;
  }
  throw new InputError('--as takes the origin of the site, such as https://www.example.com.');
}

/** Prepares a scan of the site or its preview. @throws InputError if the guard refuses it */
export async function prepareScan(
  site: URL,
  access: SiteAccess,
  createDeps: (access: SiteAccess) => Promise<ScanCommandDeps>,
): Promise<ScanCommandDeps> {
  const { servedBy = site } = access.preview ?? {};
  const deps = await createDeps(access);
  const refusal = await deps.vetTarget(servedBy);
  if (refusal !== null) throw refusalError(servedBy, refusal);
  return deps;
}

function refusalError(origin: URL, refusal: RefusalReason): InputError {
  const isName = literalAddressOf(origin.hostname) === null;
  const isOwnServer =
    refusal === 'address_not_public' || isPrivateHost(origin) || (isName && !origin.hostname.includes('.'));
  const reason =
    refusal === 'host_not_allowed' && isName
      ? describeRefusal(origin)
      : `${origin.host} is refused: ${REFUSALS[refusal]}.`;
  return new InputError(`${reason}${isOwnServer ? ' To scan a server of your own, add --local.' : ''}`);
}

/** Fields that the scanner sets itself, or that control the connection. */
const RESERVED_FIELDS =
  /^(accept|accept-encoding|accept-language|connection|content-length|content-type|expect|host|keep-alive|te|transfer-encoding|upgrade|user-agent)$/;

/** A token, then a value without control characters (RFC 9110 §5.1, §5.5). */
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)[ \t]*$/;

/**
 * Parses `--header` and `--basic` (RFC 7617), the header fields for a protected preview. Errors never quote a value.
 * @param hasAddress true if the address is on the command line: a file must not open a private network or send a header
 * @param readPassword called only with --basic
 * @throws InputError
 */
export async function readSiteFields(
  { local, header = [], basic: user }: ScanOptions,
  hasAddress: boolean,
  readPassword: () => Promise<string>,
): Promise<Pick<SiteAccess, 'siteFields'>> {
  if (!hasAddress && (local || header.length > 0 || user !== undefined)) {
    throw new InputError('--local, --header and --basic need the address on the command line, not in a file.');
  }
  const fields = new Map<string, string>();
  for (const text of header) {
    const [, name, value = ''] = FIELD.exec(text) ?? [];
    if (name === undefined) throw new InputError("--header takes a name and a value, such as 'X-Preview: token'.");
    const key = name.toLowerCase();
    if (RESERVED_FIELDS.test(key)) throw new InputError(`--header: the scanner sets ${name} itself. Leave it out.`);
    if (fields.has(key)) throw new InputError(`--header: ${name} is set twice. Set it once.`);
    fields.set(key, value);
  }
  if (user !== undefined) {
    if (user === '' || user.includes(':')) throw new InputError('--basic takes a user name without a colon.');
    if (fields.has('authorization')) throw new InputError('--basic and --header Authorization: use one of the two.');
    fields.set('authorization', `Basic ${Buffer.from(`${user}:${await readPassword()}`).toString('base64')}`);
  }
  return fields.size > 0 ? { siteFields: Object.fromEntries(fields) } : {};
}

/** Asks for a password at the terminal, without echo. @throws InputError without a terminal or password */
export async function askPassword(
  stdin: NodeJS.ReadStream = process.stdin,
  stderr: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  if (!stdin.isTTY) throw new InputError('--basic: there is no terminal to ask for the password. Set SCAN_PASSWORD.');
  stderr.write('Password: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true });
  // The terminal closes if the user cancels.
  const [password] = (await Promise.race([once(terminal, 'line'), once(terminal, 'close')])) as [string?];
  terminal.close();
  stderr.write('\n');
  if (!password) throw new InputError('--basic: no password was given.');
  return password;
}
