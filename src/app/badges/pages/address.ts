/** Where the badge is, as others show it. */
export function badgePath(token: string): string {
  return `/badges/${token}.svg`;
}
