import { isPublicAddress, literalAddressOf } from './address.js';

/** Names that never lead into the public DNS: RFC 6761 (localhost), 6762 (local), 8375 (home.arpa) and ICANN's reservation of internal. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** True if the host is a non-public address or a reserved name. Makes no DNS lookup. */
export function isPrivateLiteral({ hostname }: URL): boolean {
  const host = hostname.replace(/\.$/, '');
  const address = literalAddressOf(host);
  return address === null ? PRIVATE_NAME.test(host) : !isPublicAddress(address);
}
