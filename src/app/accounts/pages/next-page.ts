/** Where an account holder lands. */
const HOME = '/sites';

/**
 * The page of ours to which a sign-in leads: the requested one, or else the list of sites. Anything that a browser could take
 * for another site's address is not a page of ours, however it is written (`//host`, `/\host`, `/<tab>/host`, `/.//host`).
 */
export function nextPage(next: string, publicUrl: string): string {
  const url = next.startsWith('/') ? URL.parse(next, publicUrl) : null;
  if (url === null) return HOME;
  const { origin, pathname, search } = url;
  return origin === new URL(publicUrl).origin && !pathname.startsWith('//') ? pathname + search : HOME;
}
