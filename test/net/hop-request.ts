import type { HopRequest } from '../../src/net/transport.js';

/** A GET for a transport, which nothing cuts short. */
export function hopRequest(url: string | URL, headers: HopRequest['headers'] = {}): HopRequest {
  return { url: new URL(url), method: 'GET', headers, signal: new AbortController().signal };
}
