import {
  type CallToolResult,
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Test } from 'tap';
import { createMcp, type McpOptions } from '../../src/mcp/app.js';
import { createServer, Lifecycle } from '../../src/platform/http/server.js';
import { Slots } from '../../src/platform/slots.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { overlayOfFile } from '../../src/scanner/client/stand-in.js';
import { NO_PROGRESS } from '../../src/scanner/report/progress.js';
import { tryOverlay } from '../../src/scanner/scan/recorded-scan.js';
import type { Database } from '../../src/store/database.js';
import { scanReport, TestClock } from './accounts.js';
import { type FixtureSite, FixtureTransport } from './fixture-site.js';
import { scanFixture } from './golden.js';
import { type HttpAnswer, type HttpRequest, postToMcp } from './http-client.js';
import { ANSWER, findingFrom, NOTES } from './reports.js';
import { openServices } from './services.js';
import { createTestLogger } from './test-logger.js';

export function call(client: Client, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  return client.callTool({ name, arguments: args });
}

export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

export const STEPS = 3;

/** A report with one finding per check, with each result in turn. */
const REPORT = {
  findings: CHECKS.map((check, index) => {
    const result = (['PASS', 'FAIL', 'NOT_APPLICABLE', 'UNDETERMINED'] as const)[index % 4] ?? 'PASS';
    return findingFrom(check, { result, detail: 'It answers 404.' });
  }),
  notes: NOTES,
  answer: ANSWER,
};

/** For tests that need no database. */
export const NO_DB = { run: () => Promise.reject(new Error('no database')) } as never;

export interface McpOverrides extends Partial<Omit<McpOptions, 'freeScans'>> {
  readonly freeScans?: Partial<McpOptions['freeScans']>;
  /** Scans this site instead of returning {@link REPORT}. */
  readonly site?: () => FixtureSite;
}

/** Starts the MCP endpoint with the real service and a database, on a free loopback port until the test ends. */
export async function startMcp(
  t: Test,
  db: Database,
  { freeScans: replaced = {}, site, ...overrides }: McpOverrides = {},
) {
  const clock = new TestClock();
  const { logger, log } = createTestLogger();
  const lifecycle = new Lifecycle();
  const scanned: string[] = [];
  const gate = createGate();
  const { freeScans } = openServices(db, {
    ...{ clock, slots: new Slots(400), scanConcurrency: 400 },
    vetSite: ({ hostname }) => hostname !== '127.0.0.1',
    tryFile: async (target, pathname, file, onProgress) => {
      scanned.push(target.origin.hostname);
      return tryOverlay(
        { target, transport: new FixtureTransport(site?.() ?? { routes: {} }), pause: async () => undefined },
        { clock, overlay: overlayOfFile(pathname, file), ...(onProgress && { onProgress }) },
      );
    },
    scanFree: async ({ origin }, onProgress, only) => {
      scanned.push(origin.hostname);
      for (let done = 1; done <= STEPS && !site; done += 1) {
        await gate.wait();
        onProgress?.({ ...NO_PROGRESS, done, total: STEPS, requestCount: done * 10 });
      }
      const found = site ? await scanFixture(site()) : { ...scanReport(36), ...REPORT };
      const findings = found.findings.filter(({ checkId }) => only?.includes(checkId) ?? true);
      return { ...found, startedAt: clock.now(), finishedAt: clock.now(), findings };
    },
  });
  let handle: ReturnType<typeof createMcp>['handle'] = () => Promise.reject(new Error('not started yet'));
  const server = createServer({ handle: (request, response) => handle(request, response), lifecycle, logger });
  const { port } = await server.listen(0, '127.0.0.1');
  const publicUrl = `http://127.0.0.1:${port}`;
  const mcp = createMcp({
    ...{ checks: CHECKS, publicUrl, version: '1.2.3', trustProxy: 0, clock, logger, lifecycle },
    freeScans: {
      start: (request) => freeScans.start(request),
      verify: (request) => freeScans.verify(request),
      tryFile: (request) => freeScans.tryFile(request),
      ...replaced,
    },
    ...overrides,
  });
  ({ handle } = mcp);
  t.teardown(async () => {
    gate.open();
    await server.close();
    await mcp.close();
    await freeScans.close();
  });
  const url = `${publicUrl}/mcp`;
  return {
    ...{ url, port, clock, server, log, scanned, documents: mcp.documents },
    /** Delays the end of scans until `release`. */
    hold: gate.close,
    release: gate.open,
    /** Connects a client of the official SDK. */
    connect: async (options?: ClientOptions): Promise<Client> => {
      const client = new Client({ name: 'a-test', version: '1.0.0' }, options);
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      t.teardown(() => client.close());
      return client;
    },
    post: (body: unknown, request?: HttpRequest) => postToMcp(port, body, request),
  };
}

export type RunningMcp = Awaited<ReturnType<typeof startMcp>>;

function createGate() {
  let opened = Promise.resolve();
  let open = (): void => undefined;
  return {
    /** Requests that passed the gate go on in the same turn. */
    wait: async () => {
      await opened;
      await new Promise((resolve) => setImmediate(resolve));
    },
    close: () => {
      opened = new Promise((resolve) => (open = resolve));
    },
    open: () => open(),
  };
}

/** Returns the JSON-RPC messages of an answer: an event stream or JSON. */
export function messagesOf({ headers, text }: HttpAnswer): Record<string, unknown>[] {
  if (!headers['content-type']?.startsWith('text/event-stream')) {
    const body = JSON.parse(text) as Record<string, unknown> | Record<string, unknown>[];
    return Array.isArray(body) ? body : [body];
  }
  const data = text.split('\n').filter((line) => line.startsWith('data: '));
  return data.map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>);
}
