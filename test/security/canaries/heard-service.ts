import type { Test } from 'tap';
import { readConfig } from '../../../src/config.js';
import { parseCidr } from '../../../src/net/address.js';
import { createGuard, type Endpoint } from '../../../src/net/guard.js';
import { createResolver } from '../../../src/net/connect.js';
import type { Database } from '../../../src/store/database.js';
import { createScanning } from '../../../src/package/scanning.js';
import { type DnsName, startDnsServer } from '../../support/dns-server.js';
import { type HttpAnswer, type HttpRequest, send } from '../../support/http-client.js';
import { type ReceivedMail, startMailServer } from '../../support/mail-server.js';
import { PUBLIC_ADDRESS } from '../../support/network-scene.js';
import { freePort } from '../../support/program.js';
import { startWholeService, type WholeService } from '../../support/whole-service.js';

const METRICS_TOKEN = 'let-me-see-the-metrics';

/** The whole service, and all that it says to anybody. */
export interface HeardService extends Pick<WholeService, 'services' | 'scanning' | 'log'> {
  /** Every answer that was asked for, by what was asked. */
  readonly answers: Map<string, string>;
  /** What the mail server got. */
  readonly mails: readonly ReceivedMail[];
  /** Asks, and keeps the whole answer with its header fields. */
  ask(name: string, path: string, request?: HttpRequest): Promise<HttpAnswer>;
  readMetrics(): Promise<string>;
  /** Performs what was offered to the workers. */
  performJobs(): Promise<void>;
}

export interface HeardServiceOptions {
  readonly names: Readonly<Record<string, DnsName>>;
  readonly ports: readonly number[];
  /** Taken for one on the public internet, so that the evidence behind findings is kept of it. */
  readonly endpoints: readonly Endpoint[];
}

export async function startHeardService(
  t: Test,
  db: Database,
  { names, ports, endpoints }: HeardServiceOptions,
): Promise<HeardService> {
  const mail = await startMailServer(t);
  const config = readConfig({
    PORT: String(await freePort()),
    SCAN_ALLOW_CIDRS: `${PUBLIC_ADDRESS}/32`,
    SCAN_ALLOW_PORTS: ports.join(','),
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'alerts@example.com',
    METRICS_TOKEN,
    LOG_LEVEL: 'debug',
  });
  const dns = await startDnsServer(names);
  t.teardown(() => dns.close());
  const guard = createGuard({
    allowCidrs: config.scanAllowCidrs.flatMap((cidr) => parseCidr(cidr) ?? []),
    allowPorts: config.scanAllowPorts,
    allowEndpoints: endpoints,
  });
  const { services, scanning, port, log, performJobs } = await startWholeService(t, {
    ...{ config, db },
    openScanning: ({ logger, metrics }) => ({
      ...createScanning(config, logger, { onRefused: (reason) => metrics.scans.guardRefused(reason) }),
      guard,
      resolver: createResolver({ servers: [dns.address] }),
    }),
  });
  const answers = new Map<string, string>();
  return {
    ...{ services, scanning, answers, log, mails: mail.received },
    async ask(name, path, request = {}) {
      const answer = await send(port, path, request);
      answers.set(`${name} ${path}`, `${answer.status} ${JSON.stringify(answer.headers)}\n${answer.text}`);
      return answer;
    },
    readMetrics: async () =>
      (await send(port, '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text,
    performJobs,
  };
}
