/** The badge's address, as other pages show it. */
export function badgePath(token: string): string {
  return `/badges/${token}.svg`;
}

/** The addresses of public reports. */
export const addressOf = {
  report: (token: string) => `/reports/${token}`,
  markdown: (token: string) => `/reports/${token}/markdown`,
  publish: (siteId: string) => `/sites/${siteId}/sharing`,
  withdraw: (siteId: string) => `/sites/${siteId}/sharing/remove`,
};
