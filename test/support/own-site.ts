import { startFixtureServer } from './fixture-server.js';
import type { FixtureRoute } from './fixture-site.js';
import type { Scope } from './service.js';

export type OwnSite = Awaited<ReturnType<typeof startOwnSite>>;

const HOME = `<!doctype html>
<html lang="en">
<head><title>Kiln Street Pottery</title></head>
<body><h1>Kiln Street Pottery</h1><p>Bowls and cups, thrown by hand.</p></body>
</html>
`;

/** A site on loopback that its owner changes while a test goes on. */
export async function startOwnSite(t: Scope) {
  /** By path. At first there is a home page, and nothing for agents. */
  const routes: Record<string, FixtureRoute> = { '/': HOME };
  const server = await startFixtureServer((origin) => ({ origin, routes }));
  t.teardown(() => server.close());
  return { ...server, routes };
}
