import type { Visit } from '../../src/scanner/client/visit.js';
/** Answers for the records of ownership; other names have none. */
export function ownershipRecords(
  values: () => readonly string[] | Promise<readonly string[]>,
): (name: string) => Promise<readonly string[]> {
  return async (name) => (name.startsWith('_agent-readiness.') ? values() : []);
}

/** A visit whose requests are answered by this function. */
export function visitBy(fetch: Visit['fetch']): { readonly visit: Visit; close(): Promise<void> } {
  return { visit: { fetch } as unknown as Visit, close: async () => undefined };
}

/** A visit in which no server answers. */
export function visitWithoutAnswers(): ReturnType<typeof visitBy> {
  return visitBy(async () => ({ failure: 'reset' }));
}
