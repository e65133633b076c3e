import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { describeRefusal, pageOf, parsePageOf, parseSiteInput } from '../app/sites/site-input.js';
import { isPrivateLiteral, literalAddressOf } from '../net/address.js';
import { distinctBy } from '../net/keyed.js';
import { REFUSALS, type RefusalReason } from '../net/url-gate.js';
import { InputError } from '../platform/input-error.js';
import { SCAN_LIMITS } from '../scanner/artifacts/scanner.js';
import type { Listener, ScanTarget } from '../scanner/client/visit.js';
import { moveTo, type Preview, PreviewMovedError } from '../scanner/client/stand-in.js';
import type { Scanners } from '../scanner/scan/scanner.js';
import type { ScanOptions } from './scan-options.js';

export interface Reach {
  /** The user's own server, which need not be public. */
  readonly local?: URL;
  /** The preview that answers for the site. */
  readonly preview?: Preview;
  /** Header fields for the origin of the site or its preview. */
  readonly siteFields?: Readonly<Record<string, string>>;
  readonly listen?: Listener;
}

/** What `scan` needs of the network. */
export interface ScanCommandDeps extends Scanners {
  /** Returns the reason why the guard refuses a target; null if it does not. */
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
 * Parses what to scan. The page of the address comes before the named pages.
 * @param pagesOption the name of the option with the pages, for errors
 * @throws InputError
 */
export function parseTarget({ address, as, pages = [], isLocal = false }: Target, pagesOption: string) {
  const { origin, hostname } = parseSiteInput(address);
  const judgedAs = as === undefined ? null : parseJudgedAs(as);
  const own = pageOf(address);
  const named = pages.map((text) => parsePageOf(origin, text.trim(), pagesOption));
  const distinct = distinctBy([...(own ? [own] : []), ...named], ({ href }) => href);
  const { chosenPagesMax: max } = SCAN_LIMITS;
  if (distinct.length > max)
    throw new InputError(`${pagesOption}: these are ${distinct.length} pages. Choose ${max} at most.`);
  const read = judgedAs === null ? distinct : distinct.map((page) => moveTo(judgedAs, page));
  const reach: Reach = {
    ...(isLocal && { local: origin }),
    ...(judgedAs && { preview: { site: judgedAs, servedBy: origin } }),
  };
  return {
    reach,
    target: {
      origin: judgedAs ?? origin,
      isOwnershipVerified: false,
      ...(read.length > 0 && { pages: read }),
    } as ScanTarget,
    site: { hostname, origin: origin.origin, ...(judgedAs && { judgedAs: judgedAs.origin }) },
  };
}

function parseJudgedAs(as: string): URL {
  try {
    const { origin } = parseSiteInput(as);
    if (pageOf(as) === null) return origin;
  } catch (error) {
    throw error instanceof InputError ? new InputError(`--as: ${error.message}`) : error;
  }
  throw new InputError('--as takes the origin of the site, such as https://www.example.com.');
}

/** Prepares a scan of the site or its preview. @throws InputError if it must not be scanned */
export async function openReach(
  site: URL,
  reach: Reach,
  createDeps: (reach: Reach) => Promise<ScanCommandDeps>,
): Promise<ScanCommandDeps> {
  const { servedBy = site } = reach.preview ?? {};
  const deps = await createDeps(reach);
  const refusal = await deps.vetTarget(servedBy);
  if (refusal !== null) throw refusalError(servedBy, refusal);
  return deps;
}

/** @throws InputError if a preview redirects to https, otherwise the given error */
export function refuseMoved(error: unknown): never {
  if (!(error instanceof PreviewMovedError)) throw error;
  throw new InputError(`The preview redirects to https. Give that address: ${error.to}.`);
}

function refusalError(origin: URL, refusal: RefusalReason): InputError {
  const isName = literalAddressOf(origin.hostname) === null;
  const isOwn =
    refusal === 'address_not_public' || isPrivateLiteral(origin) || (isName && !origin.hostname.includes('.'));
  const reason =
    refusal === 'host_not_allowed' && isName
      ? describeRefusal(origin)
      : `${origin.host} is refused: ${REFUSALS[refusal]}.`;
  return new InputError(`${reason}${isOwn ? ' To scan a server of your own, add --local.' : ''}`);
}

/** Fields that the scanner sets, or that delimit requests. */
const OURS =
  /^(accept|accept-encoding|accept-language|connection|content-length|content-type|expect|host|keep-alive|te|transfer-encoding|upgrade|user-agent)$/;

/** A token, then a value without control characters (RFC 9110 §5.1, §5.5). */
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)[ \t]*$/;

/**
 * Reads header fields that open a protected preview from `--header` and `--basic` (RFC 7617). Messages never repeat a value.
 * @param isNamed true if the address is on the command line: a file never opens a private network or sends a header
 * @param readPassword called if there is a user
 * @throws InputError
 */
export async function readSiteFields(
  { local, header = [], basic: user }: ScanOptions,
  isNamed: boolean,
  readPassword: () => Promise<string>,
): Promise<Pick<Reach, 'siteFields'>> {
  if (!isNamed && (local || header.length > 0 || user !== undefined)) {
    throw new InputError('--local, --header and --basic need the address on the command line, not in a file.');
  }
  const fields = new Map<string, string>();
  for (const text of header) {
    const [, name, value = ''] = FIELD.exec(text) ?? [];
    if (name === undefined) throw new InputError("--header takes a name and a value, such as 'X-Preview: token'.");
    const key = name.toLowerCase();
    if (OURS.test(key)) throw new InputError(`--header: the scanner sets ${name} itself. Leave it out.`);
    if (fields.has(key)) throw new InputError(`--header: ${name} is given twice. Give it once.`);
    fields.set(key, value);
  }
  if (user !== undefined) {
    if (user === '' || user.includes(':')) throw new InputError('--basic takes the name of a user, without a colon.');
    if (fields.has('authorization')) throw new InputError('--basic and --header Authorization: give one of the two.');
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
  // Closed if the user cancels.
  const [password] = (await Promise.race([once(terminal, 'line'), once(terminal, 'close')])) as [string?];
  terminal.close();
  stderr.write('\n');
  if (!password) throw new InputError('--basic: no password was given.');
  return password;
}
