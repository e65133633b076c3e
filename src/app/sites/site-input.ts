import { REFUSED_TARGET } from '../../net/refusal.js';
import { registrableDomain } from '../../net/registrable-domain.js';
import { isPublicHostName } from '../../net/url-gate.js';
import { InputError } from '../../platform/input-error.js';
import { isSameHost, pathOf } from '../../scanner/artifacts/chosen-pages.js';

/** A site as it is stored. */
export interface SiteAddress {
  /** Where its runs start: `https://example.com`, without a path. */
  readonly origin: URL;
  /** What the contract calls `hostname`: the origin's host, with the port where it is not the scheme's own. */
  readonly hostname: string;
}

const HOST_CHARS_MAX = 300;
export const ADDRESS_CHARS_MAX = 2000;

const NO_HOST = 'This is not a host name. Give one such as example.com.';

/**
 * Reads what a person gives for a site: its host name, its origin, or the address of any of its pages. A bare host name means `https://`
 * and port 443; one with a scheme keeps scheme and port, which the guard then allows or not. Normal form: lower case, international
 * names as A-labels, no trailing dot.
 * @throws InputError with what to give instead
 */
export function parseSiteInput(input: string): SiteAddress {
  const site = siteOf(parseAddress(input));
  if (site.hostname.length > HOST_CHARS_MAX) throw tooLong();
  return site;
}

/** The same of a site that is to be found among others: as pages name it, it may have a port without a scheme. @throws InputError */
export function parseSiteName(input: string): SiteAddress {
  return siteOf(parseAddress(input, true));
}

/** What is said of a site that the guard refuses: by how it is written alone, so that nothing is told of what is behind its name. */
export function refusalOf({ hostname, port }: URL): string {
  const labels = hostname.split('.');
  const top = labels.at(-1) ?? '';
  if (port !== '' || isPublicHostName(hostname) || !/^[a-z]/.test(top)) return REFUSED_TARGET;
  if (labels.length === 1 || labels.some((label) => !/^[a-z0-9_-]{1,63}$/.test(label))) return NO_HOST;
  if (registrableDomain(`a.${hostname}`) !== null) {
    return 'This is a public suffix, under which sites have their names. Give the whole name of one.';
  }
  return `No public site has a name that ends in .${top}. Give a host name such as example.com.`;
}

/** The page that it is the address of; null for a site's own. @throws InputError as {@link parseSiteInput} */
export function pageOf(input: string): URL | null {
  const url = parseAddress(input);
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.pathname === '/' && url.search === '' ? null : url;
}

/** Of a chosen page: its path and query in normal form. */
const PATH_CHARS_MAX = 300;

/**
 * A page of this site as its owner names it, by a path or an address, with `www.` or without; one that begins with two slashes is a path,
 * too.
 * @param name what it is called in a refusal
 * @throws InputError with what to give instead
 */
export function parsePageOf(origin: URL, text: string, name: string): URL {
  const url = text.startsWith('/') ? URL.parse(origin.origin + text) : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(`${name} is neither a path nor an address. Give a path such as /pricing.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new InputError(`${name} has a user name or a password: leave it out.`);
  }
  if (!isSameHost(url, origin)) {
    throw new InputError(`${name} is a page of another site. Give pages of ${origin.host} alone, such as /pricing.`);
  }
  const path = pathOf(url);
  if (path === '/') {
    throw new InputError(`${name} is the home page, which every run reads: leave it out.`);
  }
  if (path.length > PATH_CHARS_MAX) {
    throw new InputError(`${name} is longer than ${PATH_CHARS_MAX} characters. Choose a page with a shorter address.`);
  }
  return new URL(origin.origin + path);
}

/**
 * The same by https unless there is a port, since all who ask for one hostname share a result. A scan tries http where https cannot be
 * connected to.
 * @throws InputError with what to give instead
 */
export function parseSiteOfPage(input: string): SiteAddress {
  const url = parseAddress(input);
  if (url.port === '') url.protocol = 'https:';
  return siteOf(url);
}

/** What a site is by whichever scheme it is scanned: host and port, without the default port of either. */
export function hostOf(hostname: string): string {
  return hostname.replace(/:(?:80|443)$/, '');
}

/** Whether this is a site's `hostname` in normal form. */
export function isSiteHostname(text: string): boolean {
  if (text.length > HOST_CHARS_MAX) return false;
  // By the scheme whose own port it is not: either keeps the other's.
  return ['http://', 'https://'].some((scheme) => URL.parse(scheme + text)?.host === text);
}

function siteOf(url: URL): SiteAddress {
  const origin = new URL('/', url);
  const host = origin.hostname.replace(/\.$/, '');
  if (host.split('.').includes('')) throw new InputError(NO_HOST);
  origin.hostname = host;
  return { origin, hostname: origin.host };
}

/** @param isNamed whether the scheme is left out of an address with a port, too */
function parseAddress(input: string, isNamed = false): URL {
  const text = input.trim();
  if (text === '') throw new InputError('Give the site as a host name, such as example.com.');
  if (text.length > ADDRESS_CHARS_MAX) throw tooLong();
  // As browsers do, which read http:\\example.com and http:/example.com as http://example.com/.
  const hasScheme = /^(?:https?:|mailto:|[a-z][a-z0-9+.-]*:\/\/)/i.test(text);
  const address = hasScheme ? text : `https://${text}`;
  const url = URL.parse(address);
  if (url === null) throw new InputError(NO_HOST);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new InputError('Only http and https sites can be scanned. Give a host name such as example.com.');
  }
  if (!hasScheme && url.username && !url.password) {
    throw new InputError('This is an e-mail address. Give the host name alone, such as example.com.');
  }
  if (url.username || url.password) throw new InputError('Leave the user name and password out of the address.');
  if (!hasScheme && !isNamed && url.port) {
    throw new InputError('A port needs its scheme: write http:// or https:// before the address.');
  }
  return url;
}

function tooLong(): InputError {
  return new InputError('This is too long for a host name. Give one such as example.com.');
}
