import type { Test } from 'tap';
import { createResolver } from '../../../src/net/resolver.js';
import type { Endpoint } from '../../../src/net/guard.js';
import { createScanning } from '../../../src/package/scanning.js';
import type { Database } from '../../../src/store/database.js';
import { type DnsName, startDnsServer } from '../../support/dns-server.js';
import { type HttpAnswer, type HttpRequest, send } from '../../support/http-client.js';
import { startMailServer } from '../../support/mail-server.js';
import { PUBLIC_ADDRESS } from '../../support/network-scene.js';
import { startWholeService } from '../../support/whole-service.js';

export type HeardService = Awaited<ReturnType<typeof startHeardService>>;

interface HeardServiceOptions {
  readonly names: Readonly<Record<string, DnsName>>;
  readonly ports: readonly number[];
  /** Taken for ones on the public internet, so that the evidence behind findings is stored. */
  readonly endpoints: readonly Endpoint[];
}

/** Starts the whole service, and records all that it says to anybody. */
export async function startHeardService(t: Test, db: Database, { names, ports, endpoints }: HeardServiceOptions) {
  const mail = await startMailServer(t);
  const dns = await startDnsServer(names);
  t.teardown(() => dns.close());
  const environment = {
    ...{ SCAN_ALLOW_CIDRS: `${PUBLIC_ADDRESS}/32`, SCAN_ALLOW_PORTS: ports.join(',') },
    ...{ SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'alerts@example.com' },
  };
  const whole = await startWholeService(
    t,
    db,
    ({ config, logger, metrics }) => ({
      ...createScanning(config, logger, { endpoints, onRefused: (reason) => metrics.scans.guardRefused(reason) }),
      resolver: createResolver({ servers: [dns.address] }),
    }),
    environment,
  );
  const answers = new Map<string, string>();
  return {
    ...whole,
    /** Every answer that was asked for, by what was asked. */
    answers,
    /** What the mail server got. */
    mails: mail.received,
    /** Asks, and keeps the whole answer with its header fields. */
    async ask(name: string, path: string, request: HttpRequest = {}): Promise<HttpAnswer> {
      const answer = await send(whole.port, path, request);
      answers.set(`${name} ${path}`, `${answer.status} ${JSON.stringify(answer.headers)}\n${answer.text}`);
      return answer;
    },
  };
}
