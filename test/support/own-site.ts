import { type FixtureServer, startFixtureServer } from './fixture-server.js';
import type { FixtureRoute } from './fixture-site.js';
import type { Scope } from './service.js';

/** A site on loopback that its owner changes while a test goes on. */
export interface OwnSite extends FixtureServer {
  /** By path. At first there is a home page, and nothing for agents. */
  readonly routes: Record<string, FixtureRoute>;
}

const HOME = `<!doctype html>
<html lang="en">
<head><title>Kiln Street Pottery</title></head>
<body><h1>Kiln Street Pottery</h1><p>Bowls and cups, thrown by hand.</p></body>
</html>
`;

export async function startOwnSite(t: Scope): Promise<OwnSite> {
  const routes: Record<string, FixtureRoute> = { '/': HOME };
  const server = await startFixtureServer((origin) => ({ origin, routes }));
  t.teardown(() => server.close());
  return { ...server, routes };
}
