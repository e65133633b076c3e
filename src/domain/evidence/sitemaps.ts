export interface SitemapSearch {
  readonly todo: never;
}
export interface SitemapEntries {
  readonly todo: never;
}
