import {
  bodyOf,
  type HopRequest,
  type HopResponse,
  ResponseHeaders,
  type Transport,
  wrapTransport,
} from '../../net/transport.js';
import { isSameHost, type UrlGate } from '../../net/url-gate.js';
import { isSuccess } from './requests.js';

/** A server that is scanned instead of a site, such as a staging server. */
export interface Preview {
  /** Origin of the site that the report is about. */
  readonly site: URL;
  /** Origin that receives its requests. */
  readonly servedBy: URL;
}

/** A preview redirects from http to https. The message names that address. */
export class PreviewMovedError extends Error {
  override readonly name = 'PreviewMovedError';
}

/**
 * Sends the site's requests (either scheme, with or without `www`) to the preview, and rewrites redirects to the preview so that they lead
 * to the site. Rejects with {@link PreviewMovedError} if the preview redirects from http to https, which would count as another site.
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
      if (target?.origin === httpsOrigin)
        throw new PreviewMovedError(`The preview redirects to https. Give that address: ${httpsOrigin}.`);
      if (target?.origin !== servedBy.origin) return answer;
      return setFields(answer, [['location', moveTo(site, target).href]]);
    },
  });
}

/** Returns a gate that vets the URL at the preview instead of the site's. */
export function createPreviewGate(gate: UrlGate, preview: Preview): UrlGate {
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
  /** Returns the file for this percent-encoded path, or null. Its body is read only if it is iterated. */
  readonly fileAt: (pathname: string) => ServedFile | null;
  /** Returns header fields for this path, names in lower case; a null value removes the field. */
  readonly fieldsFor: (pathname: string) => readonly Field[];
}

export interface OverlayFile {
  readonly body: Uint8Array;
  /** Content-Type. */
  readonly type: string;
}

type ServedFile = Pick<OverlayFile, 'type'> & Pick<HopResponse, 'body'>;

export type Field = readonly [name: string, value: string | null];

/** Returns an overlay of one file at this percent-encoded path. */
export function overlayOfFile(pathname: string, file: OverlayFile): Overlay {
  const ownPath = filePathOf(pathname);
  return {
    fileAt: (path) => (filePathOf(path) === ownPath ? { ...file, body: bodyOf(file.body) } : null),
    fieldsFor: () => [],
  };
}

/** Returns the decoded path of the file that serves a percent-encoded path; the path itself if its encoding is invalid. */
export function filePathOf(pathname: string): string {
  const path = decodePath(pathname);
  return path.endsWith('/') ? `${path}index.html` : path;
}

export function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

export interface OverlaidSite {
  readonly overlay: Overlay;
  /** Origin of the site's files, such as robots.txt. */
  readonly fileOrigin: URL;
  /** Known responses of the site without the overlay, by URL. */
  readonly answers: ReadonlyMap<string, ResponseHead>;
}

export type ResponseHead = Omit<HopResponse, 'body'>;

/** Serves overlay files instead of the site's responses, with or without `www`, and sets its header fields. */
export function serveOverlay(network: Transport, site: OverlaidSite): Transport {
  return wrapTransport(network, {
    answersOffline: (request) => fileFor(request, site) !== null || network.answersOffline?.(request) === true,
    exchange: async (request) => {
      const { url } = request;
      if (!isSameHost(url, site.fileOrigin)) return network.exchange(request);
      const file = fileFor(request, site);
      const answer = file ? responseOf(file, site.answers.get(url.href)) : await network.exchange(request);
      return setFields(answer, site.overlay.fieldsFor(url.pathname));
    },
  });
}

/** Returns each status other than success and 404 that files replace, with the first such path; 0 is no response. */
export function findReplacedErrors(site: OverlaidSite): Map<number, string> {
  const paths = new Map<number, string>();
  for (const [href, { status }] of site.answers) {
    const url = new URL(href);
    const isError = !isSuccess(status) && status !== 404;
    if (isError && !paths.has(status) && fileFor({ url, method: 'GET' }, site)) paths.set(status, url.pathname);
  }
  return paths;
}

/** Returns the file that replaces a response; null if the host redirects to the other one, with or without `www`. */
function fileFor(
  { url, method }: Pick<HopRequest, 'url' | 'method'>,
  { overlay, fileOrigin, answers }: OverlaidSite,
): ServedFile | null {
  if (method !== 'GET' || !isSameHost(url, fileOrigin)) return null;
  const answer = answers.get(url.href) ?? answers.get(new URL('/', url).href);
  const target = answer ? redirectOf(url, answer) : null;
  const isRedirected = target !== null && target.origin !== url.origin && isSameHost(target, url);
  return isRedirected ? null : overlay.fileAt(url.pathname);
}

/** @param known the response that the file replaces, whose header fields stay unless they describe its body */
function responseOf({ type, body }: ServedFile, known: ResponseHead | undefined): HopResponse {
  const fields = known && isSuccess(known.status) ? known.headers.lines : [];
  const headers = new ResponseHeaders([
    ...fields.filter(([name]) => !BODY_FIELD.test(name)),
    ['content-type', type],
    ['transfer-encoding', 'chunked'],
  ]);
  return { status: 200, headers, body };
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

function redirectOf(url: URL, { status, headers }: ResponseHead): URL | null {
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
