import { InputError } from './input-error.js';

/** A site as it is stored. */
export interface SiteAddress {
  /** Where its runs start: `https://example.com`, without a path. */
  readonly origin: URL;
  /** What the contract calls `hostname`: the origin's host, with the port where it is not the scheme's own. */
  readonly hostname: string;
}

const INPUT_CHARS_MAX = 300;

/**
 * Reads the "hostname or origin" that a person gives for a site. A bare host name means `https://` and port 443; one with
 * a scheme keeps scheme and port, which the guard then allows or not. Normal form: lower case, international names as
 * A-labels, no trailing dot.
 * @throws InputError with what to give instead
 */
export function parseSiteInput(input: string): SiteAddress {
  const text = input.trim();
  if (text === '') throw new InputError('Give the site as a host name, such as example.com.');
  if (text.length > INPUT_CHARS_MAX)
    throw new InputError('This is too long for a host name. Give one such as example.com.');
  const origin = parseOrigin(text);
  const host = origin.hostname.replace(/\.$/, '');
  if (host.split('.').includes('')) throw new InputError('This is not a host name. Give one such as example.com.');
  origin.hostname = host;
  return { origin, hostname: origin.host };
}

function parseOrigin(text: string): URL {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const address = hasScheme ? text : `https://${text}`;
  if (!URL.canParse(address)) throw new InputError('This is not a host name. Give one such as example.com.');
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new InputError('Only http and https sites can be added. Give a host name such as example.com.');
  }
  if (url.username || url.password) throw new InputError('Leave the user name and password out of the address.');
  if (url.pathname !== '/' || url.search || url.hash) {
    throw new InputError('A site is a whole host, not one page. Give its host name alone, such as example.com.');
  }
  if (!hasScheme && url.port)
    throw new InputError('A port needs its scheme. Give an origin such as https://example.com:8443.');
  return url;
}
