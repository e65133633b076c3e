import type { Home } from '../artifacts/pages.js';

/**
 * The web targets that Link headers and `<link>` elements of the home page name under a relation or type, each once, in source
 * order.
 */
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
