import type { Transport } from './transport.js';

/**
 * Adds header fields to requests for exactly one origin, even after redirects. Wraps the network below everything that records or shows
 * requests, so that the fields never appear there.
 * @param fields names in lower case
 */
export function withSiteFields(
  transport: Transport,
  { origin }: URL,
  fields: Readonly<Record<string, string>>,
): Transport {
  const { addressOf } = transport;
  return {
    ...(addressOf && { addressOf: (url: URL) => addressOf.call(transport, url) }),
    close: () => transport.close(),
    exchange: (request) =>
      transport.exchange(
        request.url.origin === origin ? { ...request, headers: { ...request.headers, ...fields } } : request,
      ),
  };
}
