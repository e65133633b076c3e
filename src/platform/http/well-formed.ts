import type { IncomingMessage } from 'node:http';

const HOST = /^host$/i;

/**
 * Whether a request is one that HTTP would have us answer. Node lets some through that it should not, or refuses them without a body
 * that explains it: those with no Host or several (RFC 9112 §3.2), of a version that we do not speak (§2.3), and those of
 * which another server on the way could think that they end elsewhere: any transfer coding but `chunked`, and any at all in
 * HTTP/1.0 (§6.1).
 */
export function isWellFormed({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hostCount = rawHeaders.filter((text, index) => index % 2 === 0 && HOST.test(text)).length;
  const coding = headers['transfer-encoding']?.trim().toLowerCase();
  if (httpVersion === '1.0') return hostCount <= 1 && coding === undefined;
  return httpVersion === '1.1' && hostCount === 1 && (coding === undefined || coding === 'chunked');
}
