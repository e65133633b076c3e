/** The addresses of shared reports: of a site, by its owner, and of a free scan, by its visitor. */
export const addressOf = {
  report: (token: string) => `/reports/${token}`,
  result: (token: string) => `/results/${token}`,
  /** Of either, by its address. */
  picture: (path: string) => `${path}/preview.png`,
  markdown: (path: string) => `${path}/markdown`,
  publish: (siteId: string) => `/sites/${siteId}/sharing`,
  withdraw: (siteId: string) => `/sites/${siteId}/sharing/remove`,
  share: (hostname: string) => `/scan/${encodeURIComponent(hostname)}/share`,
  markdownOfScan: (hostname: string) => `/scan/${encodeURIComponent(hostname)}/markdown`,
};

/** Where the preview of a report is drawn as it is now: caches keep one for each tag. */
export function picturePath(path: string, tag: string): string {
  return `${addressOf.picture(path)}?v=${tag.slice(1, 11)}`;
}
