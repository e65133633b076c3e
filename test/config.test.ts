import t from 'tap';
import { ConfigError, readConfig, readScanConfig } from '../src/config.js';

const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com' };
const METRICS_TOKEN = '0123456789abcdef';

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

t.test('what is read', async (t) => {
  const cases: readonly (readonly [environment: Record<string, string>, config: object])[] = [
    [{ PORT: '8080' }, { publicUrl: 'http://localhost:8080' }],
    [{ PUBLIC_URL: 'https://scan.example.com/' }, { publicUrl: 'https://scan.example.com' }],
    [{ CONTACT: 'ops@example.com' }, { contact: 'mailto:ops@example.com' }],
    [{ CONTACT: 'https://example.com/contact' }, { contact: 'https://example.com/contact' }],
    [{ CONTACT: "o'brien+x@a.b-c.example" }, { contact: "mailto:o'brien+x@a.b-c.example" }],
    [{ CONTACT: 'a.b@example.com' }, { contact: 'mailto:a.b@example.com' }],
    [{ OWNERSHIP_CONTROL_NAME: 'www.iana.org' }, { ownershipControlName: 'www.iana.org' }],
    [{ SCAN_ALLOW_CIDRS: '127.0.0.1/32, fd00::/8' }, { scanAllowCidrs: ['127.0.0.1/32', 'fd00::/8'] }],
    [{ SCAN_ALLOW_PORTS: '8080,8443' }, { scanAllowPorts: [8080, 8443] }],
    [
      { MONTHLY_QUOTA: '0', SITES_MAX: '7' },
      { monthlyQuota: 0, sitesMax: 7 },
    ],
    [{ METRICS_TOKEN }, { metricsToken: METRICS_TOKEN, metricsPort: null }],
    [{ METRICS_PORT: '9464' }, { metricsToken: null, metricsPort: 9464 }],
    [{ SIGNING_KEY: 'any', RUN_FORMAT: '2', SCAN_FROM_CIDRS: '' }, { retiredVariables: ['RUN_FORMAT', 'SIGNING_KEY'] }],
    [mail, { mailFrom: { name: '', address: 'a@example.com' }, isSignUpOpen: false }],
    [
      { ...mail, MAIL_FROM: 'Agent Readiness <alerts@example.com>' },
      { mailFrom: { name: 'Agent Readiness', address: 'alerts@example.com' } },
    ],
    [{ ...mail, SIGN_UP: 'closed' }, { isSignUpOpen: false }],
    [{ ...mail, SIGN_UP: 'open' }, { isSignUpOpen: true }],
  ];
  for (const [environment, config] of cases) t.match(readConfig(environment), config, JSON.stringify(environment));
  const SMTP_URL = 'smtp://me%40example.com:p%2Fw@mail.example.com:587';
  t.equal(readConfig({ ...mail, SMTP_URL }).smtpUrl?.href, SMTP_URL);
});

const REFUSED: readonly (readonly [name: string, values: readonly string[], fault: RegExp, more?: object])[] = [
  [
    'PUBLIC_URL',
    ['https://example.com/scan', 'https://user:word@example.com', 'https://example.com/?a', 'https://example.com/#a'],
    /^PUBLIC_URL: must be an http or https address without a path/,
  ],
  ['CONTACT', ['javascript:alert(1)'], /^CONTACT: /],
  ...['CONTACT', 'MAIL_FROM'].map(
    (name) =>
      [
        name,
        ['a..b@example.com', '.a@example.com', 'a.@example.com', "a'@example.com", 'a@-b.com', 'a@b..com', 'a@b'],
        /^(CONTACT|MAIL_FROM): must be an e-mail address/,
        name === 'MAIL_FROM' ? mail : {},
      ] as const,
  ),
  [
    'MAIL_FROM',
    ['a@example.com, b@example.com', 'A\nBcc: <b@example.com>', '<>', 'A <a@example.com> B'],
    /^MAIL_FROM: must be an e-mail address/,
    mail,
  ],
  [
    'SMTP_URL',
    ['mail.example.com', 'smtp://', 'smtp://h/path', 'smtp://h?tls=no', 'smtp://u:100%@h'],
    /^SMTP_URL: must be smtp:/,
    mail,
  ],
  ['SMTP_URL', [mail.SMTP_URL], /^MAIL_FROM: must be set together with SMTP_URL/],
  ['MAIL_FROM', [mail.MAIL_FROM], /^SMTP_URL: must be set together with MAIL_FROM/],
  ['SIGN_UP', ['true'], /^SIGN_UP: must be open or closed/, mail],
  ['SIGN_UP', ['open'], /^SIGN_UP: open requires SMTP_URL and MAIL_FROM, since a mailed link/],
  [
    'OWNERSHIP_CONTROL_NAME',
    ['https://example.com', 'example.com/', 'example.com:53', 'a b', 'me@example.com'],
    /^OWNERSHIP_CONTROL_NAME: must be only a host name/,
  ],
  [
    'METRICS_TOKEN',
    ['0123456789abcde', '0123456789 abcdef', '0123456789abcdef\n', '0123456789abcdeé'],
    /^METRICS_TOKEN: must have at least 16 characters/,
  ],
  ['METRICS_PORT', ['http'], /^METRICS_PORT: must be a whole number/],
  ['METRICS_PORT', ['3000'], /^METRICS_PORT: must differ from PORT/],
  // No fault of PUBLIC_URL, which contains the port.
  ['PORT', ['x'], /^PORT: must be a whole number from 0 to 65535$/],
];

t.test('what is refused is one fault of its variable', async (t) => {
  for (const [name, values, fault, more] of REFUSED) {
    for (const value of values) {
      t.throws(
        () => readConfig({ ...more, [name]: value }),
        { name: 'ConfigError', faults: [fault] },
        `${name}=${value}`,
      );
    }
  }
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
      const isNamed = error.faults.some((fault) => fault.startsWith(`${name}: `));
      t.ok(isNamed, name);
    }
    t.notMatch(error.message, 'secret');
    t.match(error.message, 'entry 2');
  }
});
