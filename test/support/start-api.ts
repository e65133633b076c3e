import { createApi } from '../../src/api/api.js';
import type { ApiServices } from '../../src/api/operation.js';
import { createProbeApp, type CheckReadiness } from '../../src/platform/http/app.js';
import { createServer, Lifecycle } from '../../src/platform/http/server.js';
import { TestClock } from './accounts.js';
import { DOCUMENT } from './contract.js';
import { send, type HttpRequest } from './http-client.js';
import { createAppRouter } from '../../src/wiring/router.js';
import type { Scope } from './service.js';
import { PUBLIC_URL } from './services.js';
import { createTestLogger } from './test-logger.js';

export { PUBLIC_URL };

export interface StartDeps
  extends Pick<ApiServices, 'access' | 'runs'>, Partial<Pick<ApiServices, 'observeRequest' | 'clock' | 'contact'>> {
  readonly checkReadiness?: CheckReadiness;
  readonly graceMs?: number;
}

/** Starts the API and the probes. */
export async function startApi(
  t: Pick<Scope, 'teardown'>,
  { graceMs, checkReadiness = async () => null, ...deps }: StartDeps,
) {
  const { logger, log } = createTestLogger();
  const lifecycle = new Lifecycle();
  const app = await createApi({
    document: DOCUMENT,
    publicUrl: PUBLIC_URL,
    lifecycle,
    logger,
    clock: new TestClock(),
    ...deps,
  });
  const [api, probes] = [app.callback(), createProbeApp({ ...deps, lifecycle, logger }, checkReadiness).callback()];
  const handle = createAppRouter({ probes, api, mcp: api, hooks: api, web: api });
  const options = { handle, lifecycle, logger };
  const server = createServer(graceMs === undefined ? options : { ...options, graceMs });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  return {
    ...{ port, server, lifecycle },
    /** What was logged, one object a line. */
    log,
    send: (path: string, request?: HttpRequest) => send(port, path, request),
  };
}
