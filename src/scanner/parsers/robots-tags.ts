import type { Home } from '../artifacts/pages.js';
const UNINDEXED = new Set(['noindex', 'none']);
/** `googlebot: noindex` applies to one crawler, but these directives have a colon as part of their syntax. */
const WITH_VALUE = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/**
 * True if an `X-Robots-Tag` value keeps the page out of search indexes: for every crawler, or for one of `crawlers` (names in
 * lower case). A crawler's name applies to the directives after it (Google, "Robots meta tag specifications").
 */
export function isUnindexedByTag(value: string, crawlers: ReadonlySet<string>): boolean {
  let isInScope = true;
  for (const part of value.toLowerCase().split(',')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(colon, 0)).trim();
    if (colon >= 0 && !WITH_VALUE.has(name)) isInScope = crawlers.has(name);
    const directive = part.slice(WITH_VALUE.has(name) ? 0 : colon + 1).trim();
    if (isInScope && UNINDEXED.has(directive)) return true;
  }
  return false;
}

const NO_AI = new Set(['noai', 'noimageai']);

/** True if an `X-Robots-Tag` or the content of a robots meta element says `noai`: a convention of DeviantArt, in no standard. */
function saysNoAi(content: string): boolean {
  return content
    .toLowerCase()
    .split(/[\s,:]+/)
    .some((directive) => NO_AI.has(directive));
}

/** True if the content of a robots meta element keeps the page out of search indexes. */
export function isUnindexedByMeta(content: string): boolean {
  return content
    .toLowerCase()
    .split(/[\s,]+/)
    .some((directive) => UNINDEXED.has(directive));
}

/** True if the home page says `noai`. */
export function isNoAi({ robotsTags, page }: Home): boolean {
  return [...robotsTags, ...(page?.metas.get('robots') ?? [])].some(saysNoAi);
}
