/** Stands for an id that the account does not have yet. */
export const SITE_PLACEHOLDER = 'SITE_ID';

/** The line for a terminal that starts a run by the API. */
export function createRunLine(request: {
  readonly publicUrl: string;
  readonly key: string;
  readonly siteId: string | null;
}): string {
  const { publicUrl, key, siteId } = request;
  return `curl -X POST -H 'Authorization: Bearer ${key}' ${publicUrl}/api/v1/sites/${siteId ?? SITE_PLACEHOLDER}/runs`;
}
