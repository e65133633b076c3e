import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { pino } from 'pino';

/** A line for each request, as every service in operation writes one: without it, what it costs us would count against us alone. */
export function logRequests(server: Server): void {
  const log = pino({ level: process.env.LOG_LEVEL ?? 'info' });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const startedMs = performance.now();
    response.once('close', () => {
      const ms = Math.round(performance.now() - startedMs);
      log.info({ method: request.method, path: request.url, status: response.statusCode, ms }, 'request');
    });
  });
}

/** Listens on the port that the bench named, and says so. */
export function serveOn(server: Server): void {
  server.keepAliveTimeout = 65_000;
  server.listen(Number(process.env.PORT), '127.0.0.1', () => process.stdout.write('listening\n'));
  process.once('SIGTERM', () => process.exit(0));
}
