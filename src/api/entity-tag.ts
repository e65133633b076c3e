const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/** Whether `If-None-Match` names the current entity tag: `*` or a list, compared weakly (RFC 9110 §13.1.2). */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return Array.from(ifNoneMatch.matchAll(ENTITY_TAG), ([, tag]) => tag).includes(opaque);
}
