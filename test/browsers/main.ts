/**
 * `make browsers`: one journey in Firefox and WebKit, which the tests, in Chromium, do not see: sign in, add a site, verify it, run, read a
 * finding, check it again. An engine that is not installed is skipped by name. ENGINES=WebKit takes one of them.
 */
import { startOwnSite } from '../support/fixture-server.js';
import { runInScope } from '../support/script.js';
import { startService } from '../support/service.js';
import { FIREFOX } from './firefox.js';
import { goThrough } from './journey.js';
import { WEBKIT } from './webkit.js';

await runInScope(async (scope) => {
  const asked = process.env.ENGINES?.split(' ');
  const site = await startOwnSite(scope);
  const service = await startService(scope, { scanPorts: [site.port] });
  for (const { name, missing, start } of [FIREFOX, WEBKIT].filter((kind) => asked?.includes(kind.name) ?? true)) {
    const lack = missing();
    if (lack !== null) {
      console.log(`${name}: skipped, there is no ${lack}`);
      continue;
    }
    const engine = await start();
    scope.teardown(() => engine.close());
    await goThrough(engine, { service, site, email: `${name.toLowerCase()}@example.com` });
    console.log(`${name}: went all the way`);
  }
});
