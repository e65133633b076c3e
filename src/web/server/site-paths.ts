import type { FailureKind } from '../../scanner/verdict/finding.js';

/** Paths of a site's pages. */
export const addressOf = {
  addMany: '/sites/import',
  site: (siteId: string) => `/sites/${siteId}`,
  verify: (siteId: string) => `/sites/${siteId}/verify`,
  settings: (siteId: string) => `/sites/${siteId}/settings`,
  pages: (siteId: string) => `/sites/${siteId}/settings/pages`,
  mail: (siteId: string) => `/sites/${siteId}/mail`,
  platform: (siteId: string) => `/sites/${siteId}/platform`,
  tags: (siteId: string) => `/sites/${siteId}/tags`,
  remove: (siteId: string) => `/sites/${siteId}/remove`,
  automation: (siteId: string) => `/sites/${siteId}/automation`,
  schedule: (siteId: string) => `/sites/${siteId}/automation/schedule`,
  hook: (siteId: string) => `/sites/${siteId}/automation/hook`,
  removeHook: (siteId: string) => `/sites/${siteId}/automation/hook/remove`,
  badge: (siteId: string) => `/sites/${siteId}/automation/badge`,
  removeBadge: (siteId: string) => `/sites/${siteId}/automation/badge/remove`,
  publish: (siteId: string) => `/sites/${siteId}/sharing`,
  withdraw: (siteId: string) => `/sites/${siteId}/sharing/remove`,
  runs: (siteId: string, { show = 'all', before }: { readonly show?: string; readonly before?: number } = {}) => {
    const query = new URLSearchParams({
      ...(show !== 'all' && { show }),
      ...(before !== undefined && { before: String(before) }),
    }).toString();
    return `/sites/${siteId}/runs${query && `?${query}`}`;
  },
  run: (siteId: string, number: number) => `/sites/${siteId}/runs/${number}`,
  runForAgents: (siteId: string, number: number) => `/sites/${siteId}/runs/${number}/agent`,
  evidence: (siteId: string, number: number, checkId: string) => `${addressOf.run(siteId, number)}/evidence/${checkId}`,
  evidenceFile: (siteId: string, number: number) => `${addressOf.run(siteId, number)}/evidence.har`,
  recheck: (siteId: string, checkId: string) => `/sites/${siteId}/checks/${checkId}`,
  accept: (siteId: string, failure: FailureKind) => `/sites/${siteId}/accepted/${failure.checkId}/${failure.errorType}`,
  removeAccepted: (siteId: string, failure: FailureKind) => `${addressOf.accept(siteId, failure)}/remove`,
  compare: (siteId: string) => `/sites/${siteId}/compare`,
  comparison: (siteId: string, from: number, to: number) => `/sites/${siteId}/compare?from=${from}&to=${to}`,
};
