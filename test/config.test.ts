import t from 'tap';
import { ConfigError, readConfig } from '../src/config.js';

t.test('an empty environment gives the defaults', async (t) => {
  t.same(readConfig({}), {
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    databaseUrl: 'sqlite:data/agent-readiness.db',
    scanAllowCidrs: [],
    scanAllowPorts: [],
    scanConcurrency: 20,
    monthlyQuota: null,
    trustProxy: 0,
    contact: null,
    logLevel: 'info',
  });
});

t.test('PUBLIC_URL follows PORT, and loses its trailing slash', async (t) => {
  t.equal(readConfig({ PORT: '8080' }).publicUrl, 'http://localhost:8080');
  t.equal(readConfig({ PUBLIC_URL: 'https://scan.example.com/' }).publicUrl, 'https://scan.example.com');
});

t.test('PUBLIC_URL is an origin: pages cannot be served below a path', async (t) => {
  for (const PUBLIC_URL of [
    'https://example.com/scan',
    'https://user:word@example.com',
    'https://example.com/?a',
    'https://example.com/#a',
  ]) {
    t.throws(
      () => readConfig({ PUBLIC_URL }),
      /PUBLIC_URL: must be an http or https address without a path/,
      PUBLIC_URL,
    );
  }
});

t.test('CONTACT is an e-mail address or an https address', async (t) => {
  t.equal(readConfig({ CONTACT: 'ops@example.com' }).contact, 'mailto:ops@example.com');
  t.equal(readConfig({ CONTACT: 'https://example.com/contact' }).contact, 'https://example.com/contact');
  t.throws(() => readConfig({ CONTACT: 'javascript:alert(1)' }), /CONTACT/);
});

t.test('lists and numbers are read', async (t) => {
  const config = readConfig({
    SCAN_ALLOW_CIDRS: '127.0.0.1/32, fd00::/8',
    SCAN_ALLOW_PORTS: '8080,8443',
    MONTHLY_QUOTA: '0',
    DATABASE_URL: 'postgres://u:p@localhost/db',
  });
  t.same(config.scanAllowCidrs, ['127.0.0.1/32', 'fd00::/8']);
  t.same(config.scanAllowPorts, [8080, 8443]);
  t.equal(config.monthlyQuota, 0);
});

t.test('every fault is named at once, and secrets are not repeated', async (t) => {
  const environment = {
    PORT: '70000',
    PUBLIC_URL: 'ftp://example.com',
    DATABASE_URL: 'mysql://root:secret@localhost/db',
    SCAN_ALLOW_CIDRS: '10.0.0.0/8,nonsense',
    SCAN_ALLOW_PORTS: '0,80',
    SCAN_CONCURRENCY: 'many',
    MONTHLY_QUOTA: '-1',
    TRUST_PROXY: '-1',
    CONTACT: 'call us',
    LOG_LEVEL: 'loud',
  };
  try {
    readConfig(environment);
    t.fail('accepted');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const name of Object.keys(environment)) {
      t.ok(
        error.faults.some((fault) => fault.startsWith(`${name}: `)),
        name,
      );
    }
    t.notMatch(error.message, 'secret');
    t.match(error.message, 'entry 2');
  }
});
