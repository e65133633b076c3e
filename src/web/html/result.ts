/** The address of a check's own words: its place on the page of all checks. */
export function checkHref(checkId: string): string {
  return `/checks#${checkAnchor(checkId)}`;
}

/** The page of one kind of failure, with its example. */
export function failureHref(checkId: string, errorType: string): string {
  return `/checks/${checkId}/${errorType}`;
}

/** The id of a check's place on that page. */
export function checkAnchor(checkId: string): string {
  return checkId.toLowerCase();
}
