import { ResponseHeaders, type Transport } from './transport.js';
import { isSameHost, type UrlGate } from './url-gate.js';

/** A server that stands in for a site which is not there yet, or not as it will be. */
export interface Preview {
  /** The site that is judged, by its origin. */
  readonly site: URL;
  /** Where all that is asked of it goes. */
  readonly servedBy: URL;
}

/** A preview that was given by http, and sends those who ask to its https address. */
export class PreviewMovedError extends Error {
  override readonly name = 'PreviewMovedError';

  /** @param to its https address, by its origin */
  constructor(readonly to: string) {
    super(`the preview redirects to ${to}`);
  }
}

/**
 * Asks the preview what is asked of its site, by either scheme, with or without `www`. What an answer holds stays as it is, but that a
 * redirect to the preview leads to the site: servers make it of the name that they are asked by. An exchange rejects with
 * {@link PreviewMovedError} where the preview has to be asked by https: what is sent to it alone would not go there.
 */
export function askPreview(transport: Transport, preview: Preview): Transport {
  const { site, servedBy } = preview;
  const { addressOf } = transport;
  const secured = servedBy.protocol === 'http:' && servedBy.port === '' ? `https://${servedBy.host}` : null;
  return {
    ...(addressOf && { addressOf: (url: URL) => addressOf.call(transport, addressAt(url, preview)) }),
    close: () => transport.close(),
    exchange: async (request) => {
      if (!isSameHost(request.url, site)) return transport.exchange(request);
      const answer = await transport.exchange({ ...request, url: addressAt(request.url, preview) });
      const location = answer.headers.get('location');
      const target = location === null ? null : URL.parse(location, request.url);
      if (answer.status >= 300 && answer.status < 400 && target?.origin === secured)
        throw new PreviewMovedError(secured);
      if (target?.origin !== servedBy.origin) return answer;
      const others = answer.headers.lines.filter(([name]) => name.toLowerCase() !== 'location');
      return { ...answer, headers: new ResponseHeaders([...others, ['Location', moveTo(site, target).href]]) };
    },
  };
}

/** Vets what is asked in place of a URL. */
export function vetPreview(gate: UrlGate, preview: Preview): UrlGate {
  return { vetUrl: (url) => gate.vetUrl(addressAt(url, preview)) };
}

function addressAt(url: URL, { site, servedBy }: Preview): URL {
  return isSameHost(url, site) ? moveTo(servedBy, url) : url;
}

/** The same of another origin. With its credentials, which no guard lets through. */
export function moveTo({ protocol, hostname, port }: URL, url: URL): URL {
  return Object.assign(new URL(url), { protocol, hostname, port });
}
