/** Stands for an id that the account does not have yet. */
export const SITE_PLACEHOLDER = 'SITE_ID';

/** The variable that a line reads the key from: in the line itself it would stay in the history of the shell. */
export const KEY_NAME = 'API_KEY';

/** The line for a terminal that starts a run by the API. */
export function createRunLine(publicUrl: string, siteId: string | null): string {
  return `curl -X POST -H "Authorization: Bearer $${KEY_NAME}" \\\n${publicUrl}/api/v1/sites/${siteId ?? SITE_PLACEHOLDER}/runs`;
}
