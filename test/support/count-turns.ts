/** What the work gives, and how many turns the event loop had meanwhile. */
export async function countTurns<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  const result = await work();
  clearImmediate(next);
  return { result, turns };
}
