import type { Server } from 'node:http';

/** Listens on the port that the bench named, and says so. */
export function serveOn(server: Server): void {
  server.keepAliveTimeout = 65_000;
  server.listen(Number(process.env.PORT), '127.0.0.1', () => process.stdout.write('listening\n'));
  process.once('SIGTERM', () => process.exit(0));
}
