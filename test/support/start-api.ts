import { createApi, type ApiOptions } from '../../src/api/api.js';
import { type ApiServer, createServer, Lifecycle } from '../../src/platform/http/server.js';
import { TestClock } from './accounts.js';
import { DOCUMENT } from './contract.js';
import { send, type HttpAnswer, type HttpRequest } from './http-client.js';
import type { Scope } from './service.js';
import { PUBLIC_URL } from './services.js';
import { createTestLogger } from './test-logger.js';

export { PUBLIC_URL };

/** The API on a free port of loopback, until the test ends. */
export interface RunningApi {
  readonly port: number;
  readonly server: ApiServer;
  readonly lifecycle: Lifecycle;
  /** What was logged, one object a line. */
  readonly log: Record<string, unknown>[];
  send(path: string, options?: HttpRequest): Promise<HttpAnswer>;
}

export interface StartDeps
  extends
    Pick<ApiOptions, 'access' | 'runs'>,
    Partial<Pick<ApiOptions, 'whyNotReady' | 'observeRequest' | 'clock' | 'contact'>> {
  readonly graceMs?: number;
}

export async function startApi(t: Pick<Scope, 'teardown'>, { graceMs, ...deps }: StartDeps): Promise<RunningApi> {
  const { logger, log } = createTestLogger();
  const lifecycle = new Lifecycle();
  const app = await createApi({
    document: DOCUMENT,
    publicUrl: PUBLIC_URL,
    whyNotReady: async () => null,
    lifecycle,
    logger,
    clock: new TestClock(),
    ...deps,
  });
  const options = { handle: app.callback(), lifecycle, logger };
  const server = createServer(graceMs === undefined ? options : { ...options, graceMs });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  return { port, server, lifecycle, log, send: (path, request) => send(port, path, request) };
}
