import type { Home } from './pages.js';
import { type SafeText, safeText } from './safe-text.js';

/** Why a home page is not a page to check. */
export function describeNoPage({ isElsewhere, isScriptRedirect, status }: Home): SafeText {
  if (isElsewhere) {
    return safeText`The home page redirects to another domain, so this site has no page of its own to check.`;
  }
  if (isScriptRedirect) {
    return safeText`The home page only redirects by a script, which most agents do not run, so there is no page to check.`;
  }
  if (status === 401)
    return safeText`The home page asks for a login (status 401), so there is no public page to check.`;
  if (status >= 400) return safeText`The home page answers with status ${status}, so there is no page to check.`;
  return safeText`The home page is empty or is not HTML, so there is no page to check.`;
}
