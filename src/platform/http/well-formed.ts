import type { IncomingMessage } from 'node:http';

const HOST = /^host$/i;

/**
 * Whether HTTP allows this request to be answered. Node accepts some requests that it should not, or refuses them without an
 * explanatory body: those with no Host or several (RFC 9112 §3.2), those of an unsupported version (§2.3), and those whose end
 * another server on the path could see elsewhere: any transfer coding but `chunked`, and any at all in HTTP/1.0 (§6.1).
 */
export function isWellFormed({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hostCount = rawHeaders.filter((text, index) => index % 2 === 0 && HOST.test(text)).length;
  const coding = headers['transfer-encoding']?.trim().toLowerCase();
  if (httpVersion === '1.0') return hostCount <= 1 && coding === undefined;
  return httpVersion === '1.1' && hostCount === 1 && (coding === undefined || coding === 'chunked');
}
