import { createHash } from 'node:crypto';

/** A strong entity tag of this content, in its quotes (RFC 9110 §8.8.3). */
export function entityTagOf(content: Uint8Array | string): string {
  return `"${createHash('sha256').update(content).digest('base64url')}"`;
}
