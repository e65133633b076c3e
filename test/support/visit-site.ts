import { openVisit, type VisitOptions } from '../../src/scanner/client/open-visit.js';
import { followRedirects } from '../../src/scanner/client/requests.js';
import type { Fetched, FetchOptions, Visit } from '../../src/scanner/client/visit.js';
import { FIXTURE_ORIGIN, type FixtureAnswer, type FixtureRoute, FixtureTransport } from './fixture-site.js';

export const FIXTURE_TARGET = { origin: new URL(FIXTURE_ORIGIN), isOwnershipVerified: true };

/** A visit to a fixture site that never waits: `pauses` holds how long it would have waited, in milliseconds. */
export function visitSite(routes: Readonly<Record<string, FixtureRoute>>, options: Partial<VisitOptions> = {}) {
  const transport = new FixtureTransport({ routes });
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const visit = openVisit({ target: FIXTURE_TARGET, transport, pause, ...options });
  const fetch = (path: string, fetchOptions?: FetchOptions) => visit.fetch(new URL(path, FIXTURE_ORIGIN), fetchOptions);
  return { visit, fetch, transport, pauses, sent: () => transport.requests.map(({ url }) => new URL(url).pathname) };
}

export const redirectTo = (location: string, status = 302): FixtureAnswer => ({ status, headers: { location } });

/** Resolves the TXT records of ownership. Other names have none. */
export function ownershipRecords(
  values: () => readonly string[] | Promise<readonly string[]>,
): (name: string) => Promise<readonly string[]> {
  return async (name) => (name.startsWith('_agent-readiness.') ? values() : []);
}

/** Returns a visit that follows redirects and whose requests this function answers. */
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
