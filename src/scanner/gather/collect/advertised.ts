import type { Home } from '../../evidence/pages.js';

/** What the Link headers and `<link>` elements of the home page name on the web under a relation or type, each once, in source order. */
export function findAdvertised(
  home: Home,
  isRelation: (rel: string) => boolean,
  isType: (type: string) => boolean = () => false,
): URL[] {
  const urls = new Map<string, URL>();
  for (const { rel, type, url } of [...home.linkHeaders, ...(home.page?.headLinks ?? [])]) {
    // Nothing can be asked of `data:` or `mailto:`, nor is there any path beside it.
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) continue;
    if (rel.some(isRelation) || (type !== null && isType(type))) urls.set(url.href, url);
  }
  return [...urls.values()];
}
