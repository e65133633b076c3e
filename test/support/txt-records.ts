import { followRedirects } from '../../src/scanner/client/requests.js';
import type { Fetched, Visit } from '../../src/scanner/client/visit.js';

/** Answers for the records of ownership; other names have none. */
export function ownershipRecords(
  values: () => readonly string[] | Promise<readonly string[]>,
): (name: string) => Promise<readonly string[]> {
  return async (name) => (name.startsWith('_agent-readiness.') ? values() : []);
}

/** A visit that follows redirects, each of whose requests is answered by this function. */
export function visitBy(answer: (url: URL) => Promise<Fetched>): { readonly visit: Visit; close(): Promise<void> } {
  const fetch: Visit['fetch'] = (url, options = {}) => {
    const run = { target: { origin: url, isOwnershipVerified: false }, userAgent: 'test', listen: () => undefined };
    return followRedirects(run, url, options, (request) => answer(request.url));
  };
  return { visit: { fetch } as unknown as Visit, close: async () => undefined };
}

/** A visit in which no server answers. */
export function visitWithoutAnswers(): ReturnType<typeof visitBy> {
  return visitBy(async () => ({ failure: 'reset' }));
}
