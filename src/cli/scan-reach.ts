import { InputError } from '../platform/input-error.js';
import { REFUSALS, type RefusalReason } from '../net/url-gate.js';
import { isPrivateLiteral, literalAddressOf } from '../net/address.js';
import { describeRefusal, pageOf, parseSiteInput } from '../app/sites/site-input.js';
import type { Reach, ScanCommandDeps } from './scan-task.js';
import type { ScanOptions } from './scan-options.js';

/** Parses the value of `--as`, the site that a preview is judged as. @throws InputError */
export function parseJudgedAs(as: string): URL {
  try {
    const { origin } = parseSiteInput(as);
    if (pageOf(as) === null) return origin;
  } catch (error) {
    throw error instanceof InputError ? new InputError(`--as: ${error.message}`) : error;
  }
  throw new InputError('--as takes the origin of the site, such as https://www.example.com.');
}

/** Returns how to reach a site, or the preview that is judged as one. */
export function reachOf(origin: URL, judgedAs: URL | null, isLocal = false): Reach {
  return { ...(isLocal && { local: origin }), ...(judgedAs && { preview: { site: judgedAs, servedBy: origin } }) };
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
export async function refuseMoved(error: unknown): Promise<never> {
  const { PreviewMovedError } = await import('../scanner/client/stand-in.js');
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
const OURS = new Set(
  (
    'accept accept-encoding accept-language connection content-length content-type expect host keep-alive te transfer-encoding upgrade ' +
    'user-agent'
  ).split(' '),
);

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
    if (OURS.has(key)) throw new InputError(`--header: the scanner sets ${name} itself. Leave it out.`);
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
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  try {
    const password = await readLine(stdin);
    if (password === '') throw new InputError('--basic: no password was given.');
    return password;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

/** Returns an empty text if the user cancels. */
async function readLine(stdin: NodeJS.ReadStream): Promise<string> {
  let typed = '';
  for await (const chunk of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    for (const key of chunk) {
      if (key === '\r' || key === '\n') return typed;
      if (key === '\u0003' || key === '\u0004') return '';
      typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key;
    }
  }
  return typed;
}
