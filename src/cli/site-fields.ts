import { InputError } from '../platform/input-error.js';

/** What the scanner says of itself, or what makes one request end and the next begin. */
const OURS = new Set(
  (
    'accept accept-encoding accept-language connection content-length content-type expect host keep-alive te transfer-encoding upgrade ' +
    'user-agent signature signature-agent signature-input'
  ).split(' '),
);

/** A field name is a token, and its value has no control character (RFC 9110 §5.1, §5.5). */
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)[ \t]*$/;

/**
 * What opens a protected preview: header fields as `--header` gives them, and `--basic` (RFC 7617). Messages never repeat a value.
 * @param password asked for when there is a user
 * @throws InputError
 */
export async function readSiteFields(
  headers: readonly string[],
  user: string | undefined,
  password: () => Promise<string>,
): Promise<Readonly<Record<string, string>> | null> {
  const fields = new Map<string, string>();
  for (const header of headers) {
    const [, name, value = ''] = FIELD.exec(header) ?? [];
    if (name === undefined) throw new InputError("--header takes a name and a value, such as 'X-Preview: token'.");
    const key = name.toLowerCase();
    if (OURS.has(key)) throw new InputError(`--header: the scanner sets ${name} itself. Leave it out.`);
    if (fields.has(key)) throw new InputError(`--header: ${name} is given twice. Give it once.`);
    fields.set(key, value);
  }
  if (user !== undefined) {
    if (user === '' || user.includes(':')) throw new InputError('--basic takes the name of a user, without a colon.');
    if (fields.has('authorization')) throw new InputError('--basic and --header Authorization: give one of the two.');
    fields.set('authorization', `Basic ${Buffer.from(`${user}:${await password()}`).toString('base64')}`);
  }
  return fields.size > 0 ? Object.fromEntries(fields) : null;
}
