/** How sure a name is: a weak one also names what is not a secret, such as the session of a conference. */
export type NameStrength = 'strong' | 'weak';

/** Last words of a name that says that a secret follows. */
const STRONG = new Set(
  (
    'password passwords passwd pwd passphrase passcode passwort kennwort secret secrets token apikey credential credentials creds ' +
    'authorization jwt csrf xsrf phpsessid jsessionid aspxauth sapisid'
  ).split(' '),
);
const WEAK = new Set(
  'apisid auth bearer cookie hmac hsid otp pass pin pw remember salt sess session sid sig signature ssid'.split(' '),
);

/** `accesstoken`, `csrfmiddlewaretoken`, `aspsessionid`: written without a sign between the words. */
const COMPOUND = /(?:password|passwd|passphrase|secret|token|apikey|accesskey|secretkey|privatekey|sessionid|sessid)$/;

/** What a word before `key` makes of it; a key alone is any key. */
const KEYS = new Set(
  (
    'access account aes api app application auth client consumer crypto deploy encryption hmac jwt license licence master private secret service session ' +
    'shared signing ssh subscription webhook'
  ).split(' '),
);

/** Words behind that change nothing, such as `PASSWORD_PROD`. */
const TRAILING = new Set(
  'base confirm confirmation data dev hash live new old plain prod production raw staging test value'.split(' '),
);

/** Of other forms: WordPress, Cloudflare, Laravel, classic ASP, Drupal. */
const WHOLE =
  /^(?:wordpress_(?:logged_in|sec)_|cf_clearance$|__cf_bm$|remember_(?:web|admin|user)_|aspsessionid|s?sess[0-9a-f]{16})/;

/** Header fields (RFC 9110 §11, RFC 6265) whose whole line is the secret. */
const LINE = /^(?:(?:proxy-|x-[\w-]{0,30})?authorization|cookie|set-cookie2?)$/;

/**
 * Whether a name says that its value is a secret: by its words as wholes, so that `author`, `keywords` and `token_endpoint` do not.
 * Words are told apart by signs and by capitals (`clientSecret`).
 */
export function strengthOfName(name: string): NameStrength | null {
  if (WHOLE.test(name.toLowerCase())) return 'strong';
  const words = (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
  while (words.length > 1 && TRAILING.has(words.at(-1) ?? '')) words.pop();
  const [before, last] = [words.at(-2) ?? '', words.at(-1) ?? ''];
  if (STRONG.has(last) || COMPOUND.test(last)) return 'strong';
  if ((last === 'key' && KEYS.has(before)) || (last === 'id' && /^sess(?:ion)?$/.test(before))) return 'strong';
  return WEAK.has(last) ? 'weak' : null;
}

/** Whether all that follows on its line belongs to its value. */
export function takesLine(name: string): boolean {
  return LINE.test(name.toLowerCase());
}

/** Whether it stands for a secret that the reader fills in: `YOUR_API_KEY`, `PASSWORD`. */
export function isPlaceholder(value: string): boolean {
  return /^[A-Z]+(?:[_-][A-Z]+){0,4}$/.test(value) && strengthOfName(value) === 'strong';
}
