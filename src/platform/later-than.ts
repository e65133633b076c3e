/** The time so much later (earlier, where it is negative), as the tables hold it. */
export function laterThan(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}
