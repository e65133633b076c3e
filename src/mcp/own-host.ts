import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a request can have come from a web page that is not ours (Streamable HTTP, "Security & Endpoint": DNS rebinding).
 * Browsers say with each POST which origin it comes from; other clients say nothing, and are fine. The Host is looked at too:
 * under a name that a stranger can own, a page of theirs would be talking to us. An address or a name without a dot is
 * what a proxy in front may have put there.
 */
export function createForeignGate(publicUrl: string): (headers: IncomingHttpHeaders) => boolean {
  const own = new URL(publicUrl);
  const origins = new Set(originsOf(own));
  const isForeignHost = (host: string): boolean => {
    const url = URL.parse(`http://${host}`);
    if (url === null) return true;
    const { hostname } = url;
    const isOwnable = hostname.includes('.') && isIP(hostname) === 0;
    return isOwnable && hostname !== own.hostname;
  };
  return ({ origin, host }) =>
    (origin !== undefined && !origins.has(origin)) || (host !== undefined && isForeignHost(host));
}

/** A service on a laptop has three names. */
function originsOf(own: URL): string[] {
  if (!LOOPBACK_NAMES.includes(own.hostname)) return [own.origin];
  const port = own.port === '' ? '' : `:${own.port}`;
  return LOOPBACK_NAMES.map((name) => `${own.protocol}//${name}${port}`);
}
