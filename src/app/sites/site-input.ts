import { isPublicHostName, isSameHost, REFUSED_TARGET, registrableDomain } from '../../net/url-gate.js';
import { InputError } from '../../platform/errors.js';
import { pathOf } from '../../scanner/artifacts/pages.js';

export interface SiteAddress {
  /** Where runs start: `https://example.com`, without a path. */
  readonly origin: URL;
  /** The contract's `hostname`: the origin's host, with its port if that is not the scheme's default. */
  readonly hostname: string;
}

const HOST_CHARS_MAX = 300;
export const ADDRESS_CHARS_MAX = 2000;

const NO_HOST = 'This is not a host name or web address. Enter one such as example.com.';
const NOT_PUBLIC = 'This is not a public host name. Enter one such as example.com.';

/**
 * Parses a host name, an origin or the URL of any page of a site. A bare host name means `https://` and port 443. The normal form is in
 * lower case, has A-labels for international names, and has no trailing dot.
 * @throws InputError that says what to enter instead
 */
export function parseSiteInput(input: string): SiteAddress {
  const site = toSiteAddress(parseAddress(input));
  if (site.hostname.length > HOST_CHARS_MAX) throw tooLong();
  return site;
}

/** Describes why the guard refuses a site. Uses only its name, so that its IP address stays secret. */
export function describeRefusal({ hostname }: URL): string {
  const labels = hostname.split('.');
  const top = labels.at(-1) ?? '';
  if (isPublicHostName(hostname) || !/^[a-z]/.test(top)) return REFUSED_TARGET;
  if (labels.length === 1) return NOT_PUBLIC;
  if (labels.some((label) => !/^[a-z0-9_-]{1,63}$/.test(label))) return NO_HOST;
  if (registrableDomain(`a.${hostname}`) !== null) {
    return 'This is a public suffix, not a site. Enter the full host name of a site below it.';
  }
  return `No public site has a name that ends in .${top}. Enter a host name such as example.com.`;
}

/** Parses the URL of a page. Returns null for the home page of a site. @throws InputError like {@link parseSiteInput} */
export function parsePageUrl(input: string): URL | null {
  const url = parseAddress(input);
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.pathname === '/' && url.search === '' ? null : url;
}

/** Maximum length of a chosen page's path and query in normal form. */
const PATH_CHARS_MAX = 300;

/**
 * Parses a page of this site from a path or a URL, with or without `www.`. Text that begins with two slashes is a path.
 * @param name subject of error messages, such as `Line 3`
 * @throws InputError that says what to enter instead
 */
export function parseSitePage(origin: URL, text: string, name: string): URL {
  const url = text.startsWith('/') ? URL.parse(origin.origin + text) : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(`${name} is neither a path nor an address. Enter a path such as /pricing.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new InputError(`${name} contains a user name or password. Leave it out.`);
  }
  if (!isSameHost(url, origin)) {
    throw new InputError(`${name} is a page of another site. Enter pages of ${origin.host} only, such as /pricing.`);
  }
  const path = pathOf(url);
  if (path === '/') {
    throw new InputError(`${name} is the home page, which every run reads. Leave it out.`);
  }
  if (path.length > PATH_CHARS_MAX) {
    throw new InputError(`${name} is longer than ${PATH_CHARS_MAX} characters. Choose a page with a shorter address.`);
  }
  return new URL(origin.origin + path);
}

/**
 * Parses the site of a page. The scheme is https unless there is a port, so that each hostname has one result. The scan falls back to http.
 * @throws InputError that says what to enter instead
 */
export function parseSiteOfPage(input: string): SiteAddress {
  const url = parseAddress(input);
  if (url.port === '') url.protocol = 'https:';
  return toSiteAddress(url);
}

/** True if this is a site's `hostname` in normal form. */
export function isSiteHostname(text: string): boolean {
  if (text.length > HOST_CHARS_MAX) return false;
  // A URL drops its scheme's default port, but not the default port of the other scheme.
  return ['http://', 'https://'].some((scheme) => URL.parse(scheme + text)?.host === text);
}

function toSiteAddress(url: URL): SiteAddress {
  const origin = new URL('/', url);
  const host = origin.hostname.replace(/\.$/, '');
  if (host.split('.').includes('')) throw new InputError(NO_HOST);
  origin.hostname = host;
  return { origin, hostname: origin.host };
}

function parseAddress(input: string): URL {
  const text = input.trim();
  if (text === '') throw new InputError('Enter the site as a host name, such as example.com.');
  if (text.length > ADDRESS_CHARS_MAX) throw tooLong();
  // Like browsers, accepts http:\\example.com and http:/example.com as http://example.com/.
  const hasScheme = /^(?:https?:|mailto:|[a-z][a-z0-9+.-]*:\/\/)/i.test(text);
  const address = hasScheme ? text : `https://${text}`;
  const url = URL.parse(address);
  if (url === null) throw new InputError(NO_HOST);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new InputError('Only http and https sites can be scanned. Enter a host name such as example.com.');
  }
  if (!hasScheme && url.username && !url.password) {
    throw new InputError('This is an e-mail address. Enter only the host name, such as example.com.');
  }
  if (url.username || url.password) throw new InputError('Leave the user name and password out of the address.');
  if (!hasScheme && url.port) {
    throw new InputError('An address with a port needs a scheme. Put http:// or https:// before it.');
  }
  return url;
}

function tooLong(): InputError {
  return new InputError('This is too long for a host name. Enter one such as example.com.');
}
