import type { Transport } from './transport.js';

/**
 * Adds header fields to the requests for one origin alone, wherever redirects lead. It lies below all that records or shows a request, so
 * that none of them ever holds the fields.
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
