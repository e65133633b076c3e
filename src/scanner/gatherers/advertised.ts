import type { Home } from '../artifacts/pages.js';

/** Finds the distinct http(s) targets of the home page's Link headers and `<link>` elements with this relation or type, in order. */
export function findAdvertised(
  home: Home,
  isRelation: (rel: string) => boolean,
  isType: (type: string) => boolean = () => false,
): URL[] {
  const urls = new Map<string, URL>();
  for (const { rel, type, url } of [...home.linkHeaders, ...(home.page?.headLinks ?? [])]) {
    // `data:` and `mailto:` cannot be requested and have no sibling paths.
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) continue;
    if (rel.some(isRelation) || (type !== null && isType(type))) urls.set(url.href, url);
  }
  return [...urls.values()];
}
