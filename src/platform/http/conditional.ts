import { createHash } from 'node:crypto';
import type { ParameterizedContext } from 'koa';

/** A strong entity tag for this content, with its quotes (RFC 9110 §8.8.3). */
export function entityTagOf(content: Uint8Array | string): string {
  return `"${createHash('sha256').update(content).digest('base64url')}"`;
}

const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/** Whether `If-None-Match` names the current entity tag: `*` or a list, compared weakly (RFC 9110 §13.1.2). */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return Array.from(ifNoneMatch.matchAll(ENTITY_TAG), ([, tag]) => tag).includes(opaque);
}

/**
 * Sets the entity tag of a 200 answer. @returns true if the client already has this content: the answer is then 304, without a
 * body
 */
export function isNotModified(ctx: ParameterizedContext, etag: string): boolean {
  ctx.set('ETag', etag);
  ctx.status = isCurrent(ctx.req.headers['if-none-match'], etag) ? 304 : 200;
  return ctx.status === 304;
}
