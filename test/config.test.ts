import t from 'tap';
import { ConfigError, readConfig, readScanConfig } from '../src/config.js';

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
    sitesMax: null,
    trustProxy: 0,
    contact: null,
    smtpUrl: null,
    mailFrom: null,
    isSignUpOpen: false,
    metricsToken: null,
    metricsPort: null,
    evidenceDays: 90,
    ownershipControlName: 'example.com',
    logLevel: 'info',
    retiredVariables: [],
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
  for (const address of ["o'brien+x@a.b-c.example", 'a.b@example.com'])
    t.equal(readConfig({ CONTACT: address }).contact, `mailto:${address}`);
  for (const address of [
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    "a'@example.com",
    'a@-b.com',
    'a@b..com',
    'a@b',
  ]) {
    t.throws(() => readConfig({ CONTACT: address }), /CONTACT/, address);
    t.throws(() => readConfig({ MAIL_FROM: address }), /MAIL_FROM/, address);
  }
});

t.test('OWNERSHIP_CONTROL_NAME is a host name alone', async (t) => {
  t.equal(readConfig({ OWNERSHIP_CONTROL_NAME: 'www.iana.org' }).ownershipControlName, 'www.iana.org');
  for (const OWNERSHIP_CONTROL_NAME of [
    'https://example.com',
    'example.com/',
    'example.com:53',
    'a b',
    'me@example.com',
  ]) {
    t.throws(() => readConfig({ OWNERSHIP_CONTROL_NAME }), /OWNERSHIP_CONTROL_NAME: must be a host name alone/);
  }
});

t.test('lists and numbers are read', async (t) => {
  const config = readConfig({
    SCAN_ALLOW_CIDRS: '127.0.0.1/32, fd00::/8',
    SCAN_ALLOW_PORTS: '8080,8443',
    MONTHLY_QUOTA: '0',
    SITES_MAX: '7',
    DATABASE_URL: 'postgres://u:p@localhost/db',
  });
  t.same(config.scanAllowCidrs, ['127.0.0.1/32', 'fd00::/8']);
  t.same(config.scanAllowPorts, [8080, 8443]);
  t.equal(config.monthlyQuota, 0);
  t.equal(config.sitesMax, 7);
});

t.test('the metrics are off, behind a token of at least 16 characters, or on a port of their own', async (t) => {
  const METRICS_TOKEN = '0123456789abcdef';
  t.match(readConfig({ METRICS_TOKEN }), { metricsToken: METRICS_TOKEN, metricsPort: null });
  t.match(readConfig({ METRICS_PORT: '9464' }), { metricsToken: null, metricsPort: 9464 });
  for (const token of ['0123456789abcde', '0123456789 abcdef', '0123456789abcdef\n', '0123456789abcdeé']) {
    t.throws(() => readConfig({ METRICS_TOKEN: token }), /METRICS_TOKEN: must have at least 16 characters/, token);
  }
  t.throws(() => readConfig({ METRICS_PORT: 'http' }), /METRICS_PORT: must be a whole number/);
  t.throws(() => readConfig({ METRICS_PORT: '3000' }), /METRICS_PORT: must differ from PORT/);
});

t.test('scan heeds the exceptions to the guard alone', async (t) => {
  const foreign = {
    DATABASE_URL: 'mysql://app@db/shop',
    PORT: 'http',
    LOG_LEVEL: 'verbose',
    PUBLIC_URL: '/',
    HOST: '',
  };
  t.throws(() => readConfig(foreign), ConfigError);
  t.match(readScanConfig({ ...foreign, SCAN_ALLOW_CIDRS: '10.0.0.0/8', SCAN_ALLOW_PORTS: '8080' }), {
    ...{ scanAllowCidrs: ['10.0.0.0/8'], scanAllowPorts: [8080], publicUrl: 'http://localhost:3000' },
  });
  t.throws(() => readScanConfig({ SCAN_ALLOW_PORTS: 'http' }), /SCAN_ALLOW_PORTS: entry 1/);
});

t.test('a variable that no longer exists is named if it is still set, and otherwise ignored', async (t) => {
  t.same(readConfig({ SIGNING_KEY: 'any', RUN_FORMAT: '2', SCAN_FROM_CIDRS: '' }).retiredVariables, [
    'RUN_FORMAT',
    'SIGNING_KEY',
  ]);
});

t.test('mail needs a server and a sender', async (t) => {
  const SMTP_URL = 'smtp://me%40example.com:p%2Fw@mail.example.com:587';
  const MAIL_FROM = 'Agent Readiness <alerts@example.com>';
  const { smtpUrl, mailFrom } = readConfig({ SMTP_URL, MAIL_FROM });
  t.equal(smtpUrl?.href, SMTP_URL);
  t.same(mailFrom, { name: 'Agent Readiness', address: 'alerts@example.com' });
  t.same(readConfig({ SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: 'a@example.com' }).mailFrom, {
    name: '',
    address: 'a@example.com',
  });
  t.throws(() => readConfig({ SMTP_URL }), /MAIL_FROM: must be set together with SMTP_URL/);
  t.throws(() => readConfig({ MAIL_FROM }), /SMTP_URL: must be set together with MAIL_FROM/);
  for (const url of ['mail.example.com', 'smtp://', 'smtp://h/path', 'smtp://h?tls=no', 'smtp://u:100%@h']) {
    t.throws(() => readConfig({ SMTP_URL: url, MAIL_FROM }), /SMTP_URL: must be smtp:/, url);
  }
  for (const from of ['a@example.com, b@example.com', 'A\nBcc: <b@example.com>', '<>', 'A <a@example.com> B']) {
    t.throws(() => readConfig({ SMTP_URL, MAIL_FROM: from }), /MAIL_FROM: must be an e-mail address/, from);
  }
});

t.test('sign-up is closed unless it is opened, which needs mail', async (t) => {
  const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com' };
  t.equal(readConfig(mail).isSignUpOpen, false);
  t.equal(readConfig({ ...mail, SIGN_UP: 'closed' }).isSignUpOpen, false);
  t.equal(readConfig({ ...mail, SIGN_UP: 'open' }).isSignUpOpen, true);
  t.throws(() => readConfig({ ...mail, SIGN_UP: 'true' }), /SIGN_UP: must be open or closed/);
  t.throws(
    () => readConfig({ SIGN_UP: 'open' }),
    /SIGN_UP: open requires SMTP_URL and MAIL_FROM, since a link by mail/,
  );
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
    SMTP_URL: 'http://mailer:secret@localhost',
    MAIL_FROM: 'nobody',
    METRICS_TOKEN: 'secret too short',
    METRICS_PORT: '65536',
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

t.test('a wrong PORT is one fault, although PUBLIC_URL is made of it', async (t) => {
  const message = 'The configuration is wrong:\n  PORT: must be a whole number from 0 to 65535';
  t.throws(() => readConfig({ PORT: 'x' }), { message });
});
