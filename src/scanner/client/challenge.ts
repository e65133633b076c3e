import { type SafeText, term } from '../artifacts/safe-text.js';
import { headOf } from '../parsers/text.js';
import type { SiteResponse } from './visit.js';

/** Bytes of a page that are searched. A challenge page is small, or has its markers near the start. */
const SEARCHED_BYTES = 65_536;

type Checked = Pick<SiteResponse, 'status' | 'headers' | 'body'>;

interface Marker {
  readonly vendor: SafeText;
  readonly isHeaderSet?: (response: Checked) => boolean;
  /** Strings that must all be in the page. One alone may also be in a page behind the challenge, or in an article about it. */
  readonly inBody?: readonly string[];
}

const MARKERS: readonly Marker[] = [
  {
    vendor: term('Cloudflare'),
    isHeaderSet: ({ headers }) => headers.get('cf-mitigated')?.toLowerCase() === 'challenge',
    inBody: ['<title>Just a moment...</title>', '/cdn-cgi/challenge-platform/'],
  },
  { vendor: term('Vercel'), isHeaderSet: ({ headers }) => headers.get('x-vercel-mitigated') !== null },
  {
    vendor: term('AWS WAF'),
    isHeaderSet: ({ headers, status }) =>
      (status === 202 || status === 405) && headers.get('x-amzn-waf-action') !== null,
  },
  {
    vendor: term('SiteGround'),
    isHeaderSet: ({ headers }) => headers.get('sg-captcha') !== null,
    inBody: ['http-equiv="refresh"', '/.well-known/sgcaptcha/'],
  },
  { vendor: term('Imperva'), inBody: ['_Incapsula_Resource', 'main-iframe'] },
  { vendor: term('Imperva'), inBody: ['Request unsuccessful. Incapsula incident ID'] },
  {
    vendor: term('Sucuri'),
    isHeaderSet: ({ headers, status }) => status >= 400 && headers.get('x-sucuri-block') !== null,
    inBody: ['sucuri_cloudproxy_js'],
  },
  { vendor: term('Sucuri'), inBody: ['Sucuri WebSite Firewall - Access Denied'] },
  { vendor: term('Anubis'), inBody: ['id="anubis_challenge"'] },
  { vendor: term('Anubis'), inBody: ['<title>Making sure you', '/.within.website/x/cmd/anubis/'] },
  { vendor: term('DataDome'), inBody: ['captcha-delivery.com', 'var dd='] },
];

/**
 * Returns the vendor if the response is a bot challenge instead of the resource, else null. A challenge says nothing about the site
 * behind it, so callers must treat it as "could not be checked".
 */
export function detectChallenge(response: Checked): SafeText | null {
  const text = headOf(response.body, SEARCHED_BYTES).toString('latin1');
  const hasMarker = (marker: Marker): boolean =>
    marker.isHeaderSet?.(response) === true || marker.inBody?.every((part) => text.includes(part)) === true;
  return MARKERS.find(hasMarker)?.vendor ?? null;
}
