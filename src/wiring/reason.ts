/** What went wrong at the bottom of it, in the words of the engine or the system: for the operator. */
export function reasonOf(error: unknown): string {
  // A name with several addresses fails with one error for each, and no message of its own.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  if (!(first instanceof Error)) return String(first);
  return first.cause instanceof Error ? reasonOf(first.cause) : first.message;
}
