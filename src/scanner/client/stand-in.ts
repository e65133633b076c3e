import {
  bodyOf,
  type HopRequest,
  type HopResponse,
  ResponseHeaders,
  type Transport,
  wrapTransport,
} from '../../net/transport.js';
import { isSameHost, type UrlGate } from '../../net/url-gate.js';
import { TransportError } from '../../net/failure.js';
import { isSuccess } from './requests.js';

/** A server that is scanned in place of a site, such as a staging server. */
export interface Preview {
  /** Origin of the site that the report is about. */
  readonly site: URL;
  /** Origin that receives its requests. */
  readonly servedBy: URL;
}

/** Thrown if a preview at an http address redirects to https. */
export class PreviewMovedError extends Error {
  override readonly name = 'PreviewMovedError';

  /** @param to its https origin */
  constructor(readonly to: string) {
    super(`the preview redirects to ${to}`);
  }
}

/**
 * Sends the site's requests (either scheme, with or without `www`) to the preview, and rewrites redirects to the preview so that they lead
 * to the site. An exchange rejects with {@link PreviewMovedError} if the preview redirects to https, which would not get our header fields.
 */
export function sendToPreview(network: Transport, preview: Preview): Transport {
  const { site, servedBy } = preview;
  const httpsOrigin = servedBy.protocol === 'http:' && servedBy.port === '' ? `https://${servedBy.host}` : null;
  return wrapTransport(network, {
    addressOf: async (url) => (await network.addressOf?.(previewUrlOf(url, preview))) ?? url.hostname,
    exchange: async (request) => {
      if (!isSameHost(request.url, site)) return network.exchange(request);
      const answer = await network.exchange({ ...request, url: previewUrlOf(request.url, preview) });
      const target = redirectOf(request.url, answer);
      if (target?.origin === httpsOrigin) throw new PreviewMovedError(httpsOrigin);
      if (target?.origin !== servedBy.origin) return answer;
      return setFields(answer, [['location', moveTo(site, target).href]]);
    },
  });
}

/** Returns a gate that vets the URL at the preview instead of the site's. */
export function vetPreviewUrl(gate: UrlGate, preview: Preview): UrlGate {
  return { vetUrl: (url) => gate.vetUrl(previewUrlOf(url, preview)) };
}

function previewUrlOf(url: URL, { site, servedBy }: Preview): URL {
  return isSameHost(url, site) ? moveTo(servedBy, url) : url;
}

/** Returns the same URL at another origin. Credentials stay, so that the guard still refuses them. */
export function moveTo({ protocol, hostname, port }: URL, url: URL): URL {
  return Object.assign(new URL(url), { protocol, hostname, port });
}

/** Files and header fields to scan as if the site served them. */
export interface Overlay {
  /** Returns the file for this percent-encoded path, or null. */
  readonly fileAt: (pathname: string) => OverlayFile | null;
  /** Returns header fields for this path, names in lower case; a null value removes the field. */
  readonly fieldsFor: (pathname: string) => readonly Field[];
}

export interface OverlayFile {
  readonly body: Uint8Array;
  /** Content-Type. */
  readonly type: string;
}

type Field = readonly [name: string, value: string | null];

/** A path that today returns neither success nor 404, so we only assume that the site would serve a file there. */
export interface Assumption {
  readonly path: string;
  /** Null if there is no response. */
  readonly status: number | null;
}

/** Returns an overlay of one file at this percent-encoded path. */
export function overlayOfFile(pathname: string, file: OverlayFile): Overlay {
  const paths = pathsServing(decodePath(pathname));
  return { fileAt: (path) => (paths.includes(decodePath(path)) ? file : null), fieldsFor: () => [] };
}

/** Returns the paths at which this file is served. */
export function pathsServing(path: string): string[] {
  return path.endsWith('/index.html') ? [path, path.slice(0, -'index.html'.length)] : [path];
}

/** Decodes a path; returns it unchanged if its encoding is invalid. */
export function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

export interface OverlaidSite {
  readonly site: URL;
  readonly overlay: Overlay;
  /** Our own User-Agent. */
  readonly userAgent: string;
  readonly onAssumed: (assumption: Assumption) => void;
}

/**
 * Serves files in place of the site's own responses. The server's rules still apply: it rejects the user agents that it rejects today,
 * redirects to its other host, and adds its header fields.
 */
export function serveOverlay(network: Transport, { site, overlay, userAgent, onAssumed }: OverlaidSite): Transport {
  const serve = async (request: HopRequest, file: OverlayFile): Promise<HopResponse> => {
    const { url, headers } = request;
    const isOurUserAgent = headers['user-agent'] === userAgent;
    const aborter = new AbortController();
    const signal = AbortSignal.any([request.signal, aborter.signal]);
    const original = await network.exchange({ ...request, signal }).catch((error: unknown) => {
      if (isOurUserAgent && error instanceof TransportError) return null;
      throw error;
    });
    const isServed = original !== null && isSuccess(original.status);
    const target = original && redirectOf(url, original);
    const isOtherHost = target !== null && target.pathname === url.pathname && isSameHost(target, url);
    if (original !== null && !isServed && (!isOurUserAgent || isOtherHost)) return original;
    // An unread body would block its connection.
    aborter.abort(new TransportError('reset'));
    if (!isServed && original?.status !== 404) onAssumed({ path: url.pathname, status: original?.status ?? null });
    const remaining = isServed ? original.headers.lines.filter(([name]) => !BODY_FIELD.test(name)) : [];
    const fileFields = [
      ['content-type', file.type],
      ['content-length', String(file.body.length)],
    ] as const;
    const answer = {
      status: 200,
      headers: new ResponseHeaders([...remaining, ...fileFields]),
      body: bodyOf(file.body),
    };
    return setFields(answer, overlay.fieldsFor(url.pathname));
  };
  return wrapTransport(network, {
    exchange: async (request) => {
      const { url, method } = request;
      if (!isSameHost(url, site)) return network.exchange(request);
      const file = method === 'GET' ? overlay.fileAt(url.pathname) : null;
      return file ? serve(request, file) : setFields(await network.exchange(request), overlay.fieldsFor(url.pathname));
    },
  });
}

/** Header fields that describe the bytes of a body. */
const BODY_FIELD =
  /^(?:content-(?:type|length|encoding|range|md5|digest|disposition)|transfer-encoding|(?:repr-)?digest|etag|last-modified|accept-ranges)$/i;

function setFields(answer: HopResponse, fields: readonly Field[]): HopResponse {
  if (fields.length === 0) return answer;
  const names = new Set(fields.map(([name]) => name));
  const remaining = answer.headers.lines.filter(([name]) => !names.has(name.toLowerCase()));
  const set = [...new Map(fields)].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return { ...answer, headers: new ResponseHeaders([...remaining, ...set]) };
}

function redirectOf(url: URL, { status, headers }: HopResponse): URL | null {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  return location === null ? null : URL.parse(location, url);
}

/**
 * Adds header fields to requests for exactly one origin, even after redirects. Wraps the network below everything that records or shows
 * requests, so that the fields never appear there.
 * @param fields names in lower case
 */
export function withSiteFields(
  network: Transport,
  { origin }: URL,
  fields: Readonly<Record<string, string>>,
): Transport {
  return wrapTransport(network, {
    exchange: (request) =>
      network.exchange(
        request.url.origin === origin ? { ...request, headers: { ...request.headers, ...fields } } : request,
      ),
  });
}
