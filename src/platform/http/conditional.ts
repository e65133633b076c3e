import { createHash } from 'node:crypto';

/** A strong entity tag for this content, with its quotes (RFC 9110 §8.8.3). */
export function entityTagOf(content: Uint8Array | string): string {
  return `"${createHash('sha256').update(content).digest('base64url')}"`;
}

const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/** Whether `If-None-Match` names the current entity tag: `*` or a list, compared weakly (RFC 9110 §13.1.2). */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return Array.from(ifNoneMatch.matchAll(ENTITY_TAG), ([, tag]) => tag).includes(etag);
}
