/** Does the work for one host one after the other, so that the second caller finds what the first has started. */
export function createTurns(): <T>(hostname: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (hostname, work) => {
    const turn = (last.get(hostname) ?? Promise.resolve()).then(work);
    const ended = turn
      .catch(() => undefined)
      .finally(() => {
        if (last.get(hostname) === ended) last.delete(hostname);
      });
    last.set(hostname, ended);
    return turn;
  };
}
