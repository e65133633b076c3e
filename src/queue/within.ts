/** Resolves when the promise has ended, however, or at the latest after `ms`; the timer does not hold the process up. */
export async function endsWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([promise.catch(() => undefined), tooLate]);
  clearTimeout(timer);
}
