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
    logLevel: 'info',
  });
});

t.test('PUBLIC_URL follows PORT, and loses its trailing slash', async (t) => {
  t.equal(readConfig({ PORT: '8080' }).publicUrl, 'http://localhost:8080');
  t.equal(readConfig({ PUBLIC_URL: 'https://scan.example.com/' }).publicUrl, 'https://scan.example.com');
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
