import { createRandom } from './random.js';

/** A text of a site that holds a secret, and the secret: what of it must not be seen. All are made up, and none is written out here. */
export interface FakeSecret {
  readonly shape: string;
  readonly text: string;
  readonly secrets: readonly string[];
}

const random = createRandom(20_261_123);
const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const CAPITALS = SMALL.toUpperCase();

const chars =
  (alphabet: string) =>
  (length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
const alnum = chars(CAPITALS + SMALL + DIGITS);
const hex = chars('0123456789abcdef');
const capitals = chars(CAPITALS + DIGITS);
const small = chars(SMALL + DIGITS);
const base64 = chars(`${CAPITALS}${SMALL}${DIGITS}+/`);
const urlSafe = chars(`${CAPITALS}${SMALL}${DIGITS}_-`);
const digits = chars(DIGITS);

/** A password as people choose them: no rule knows it but by what stands before it. */
const password = (): string => `Winter${digits(2)}${chars(SMALL)(6)}!`;

const jwt = (): string => [18, 40].map((length) => ['ey', 'J', alnum(length)].join('')).join('.') + `.${urlSafe(43)}`;
const DASHES = '-'.repeat(5);
const pem = (label: string, lines: number): string =>
  [
    `${DASHES}BEGIN ${label}${DASHES}`,
    ...Array.from({ length: lines }, () => base64(64)),
    `${base64(30)}==`,
    `${DASHES}END ${label}${DASHES}`,
  ].join('\n');
const pemLines = (text: string): string[] => text.split(/\\n|\n/).filter((line) => !line.startsWith(DASHES));

/** A key that is known by its beginning, in a sentence. */
const known = (shape: string, ...pieces: readonly string[]): FakeSecret => {
  const key = pieces.join('');
  return { shape, text: `We took ${key} from the vault.`, secrets: [pieces.slice(1).join('')] };
};
/** A secret within what stands around it. */
const within = (shape: string, secret: string, write: (secret: string) => string): FakeSecret => ({
  shape,
  text: write(secret),
  secrets: [secret],
});

const KNOWN: readonly FakeSecret[] = [
  known('GitHub, personal', 'gh', 'p_', alnum(36)),
  known('GitHub, server', 'gh', 's_', alnum(36)),
  known('GitHub, fine-grained', 'github', '_pat_', `${alnum(22)}_${alnum(59)}`),
  known('GitLab', 'gl', 'pat-', urlSafe(20)),
  known('AWS, access key', 'AK', 'IA', capitals(16)),
  known('AWS, temporary key', 'AS', 'IA', capitals(16)),
  known('Google, API key', 'AI', 'za', urlSafe(35)),
  known('Google, client secret', 'GOC', 'SPX-', urlSafe(28)),
  known('Google, access token', 'ya', '29.', urlSafe(60)),
  known('Stripe, secret key', 'sk', '_live_', alnum(24)),
  known('Stripe, restricted key', 'rk', '_test_', alnum(24)),
  known('Stripe, webhook', 'whs', 'ec_', alnum(32)),
  known('OpenAI, project', 'sk', '-proj-', urlSafe(48)),
  known('OpenAI, old', 's', 'k-', alnum(48)),
  known('Anthropic', 'sk', '-ant-api03-', urlSafe(60)),
  known('Hugging Face', 'h', 'f_', chars(CAPITALS + SMALL)(34)),
  known('npm', 'np', 'm_', alnum(36)),
  known('PyPI', 'py', 'pi-AgE', urlSafe(60)),
  known('DigitalOcean', 'do', 'p_v1_', hex(64)),
  known('Slack, bot', 'xo', 'xb-', `${digits(12)}-${digits(12)}-${alnum(24)}`),
  known('Slack, app', 'xa', 'pp-1-', `${capitals(10)}-${digits(12)}-${hex(40)}`),
  within(
    'Slack, webhook',
    `${capitals(9)}/B${capitals(9)}/${alnum(24)}`,
    (key) => `https://hooks.slack.com/services/T${key}`,
  ),
  within('Discord, webhook', urlSafe(60), (key) => `https://discord.com/api/webhooks/${digits(18)}/${key}`),
  known('Telegram', digits(9), ':A', `A${urlSafe(33)}`),
  known('SendGrid', 'S', 'G.', `${urlSafe(22)}.${urlSafe(43)}`),
  known('Twilio', 'S', 'K', hex(32)),
  known('Mailgun', 'ke', 'y-', hex(32)),
  known('Shopify', 'sh', 'pat_', hex(32)),
  known('Square', 'sq', '0csp-', urlSafe(43)),
  known('Vault', 'hv', 's.', urlSafe(90)),
  known('Terraform', alnum(14), '.atlasv1.', urlSafe(60)),
  known('Databricks', 'da', 'pi', hex(32)),
  known('Docker', 'dckr', '_pat_', urlSafe(27)),
  known('Linear', 'lin', '_api_', alnum(40)),
  known('Notion', 'nt', 'n_', `${digits(11)}${alnum(35)}`),
  known('Groq', 'gs', 'k_', alnum(52)),
  known('Tailscale', 'ts', 'key-auth-', `${alnum(16)}-${alnum(32)}`),
  known('Supabase', 'sb', 'p_', hex(40)),
  known('PlanetScale', 'pscale', '_pw_', urlSafe(43)),
  known('age', 'AGE-SECRET', '-KEY-1', capitals(58)),
  known('JSON Web Token', '', jwt()),
  known('hash of a password', '$2', 'b$12$', alnum(53)),
  known('private key of Ethereum', '0', 'x', hex(64)),
];

const NAMED: readonly FakeSecret[] = [
  within('pwd=', password(), (value) => `Server=db;User=app;pwd=${value};Timeout=5`),
  within('.env', password(), (value) => `APP_ENV=production\nDB_PASSWORD=${value}\nDB_HOST=db`),
  within('YAML', password(), (value) => `database:\n  user: app\n  password: ${value}\n`),
  within('INI with spaces', password(), (value) => `smtp_passwd = ${value}\n`),
  within('JSON', password(), (value) => JSON.stringify({ user: 'app', clientSecret: value })),
  within('JSON in a string', password(), (value) => JSON.stringify(JSON.stringify({ api_key: value }))),
  within(
    'JSON in an attribute',
    password(),
    (value) => `<div data-config="{&quot;apiKey&quot;:&quot;${value}&quot;}">`,
  ),
  within('JavaScript', small(16), (value) => `const config = { stripeSecretKey: '${value}' };`),
  within('PHP', password(), (value) => `$settings['db_password'] = '${value}';`),
  within('Ruby', password(), (value) => `config = { :secret_key_base => "${value}" }`),
  within('a passphrase', 'correct staple horse', (value) => `passphrase: "${value}"`),
  within('an option of a program', password(), (value) => `deploy --password ${value} --verbose`),
  within('an option with =', small(12), (value) => `deploy --api-key=${value} --verbose`),
  within('curl -u', `admin:${password()}`, (value) => `curl -u ${value} https://api.example.com/`),
  within('XML', password(), (value) => `<server><password>${value}</password></server>`),
  within('name and value in YAML', password(), (value) => `env:\n  - name: API_TOKEN\n    value: ${value}\n`),
  within('name and value in JSON', password(), (value) => JSON.stringify([{ name: 'DB_PASSWORD', value }], null, 2)),
  within('web.config', password(), (value) => `<add key="ApiSecret" value="${value}" />`),
  within('fragment of a URL', small(18), (value) => `Location: /cb#access_token=${value}&state=1`),
  within('.npmrc', small(36), (value) => `//registry.example.com/:_authToken=${value}`),
  within('Azure storage', `${base64(86)}==`, (value) => `AccountName=shop;AccountKey=${value};EndpointSuffix=core`),
  within('a form in a body', password(), (value) => `user[name]=app&user[password]=${value}&go=1`),
];

const GITHUB = ['gh', 'p_'].join('');
const CALLS: readonly FakeSecret[] = [
  within('define of PHP', password(), (value) => `define('DB_PASSWORD', '${value}');`),
  within('a type before the value', password(), (value) => `const password: string = '${value}';`),
  within('a list of header fields', small(20), (value) => `[["Authorization", "Bearer ${value}"]]`),
  within('escaped lines', alnum(36), (value) => String.raw`{"env": "A=1\n${GITHUB}${value}\n"}`),
  within('a fragment that is encoded', small(18), (value) => `/login/next%3Faccess_token%3D${value}`),
];

const HEADERS: readonly FakeSecret[] = [
  within('authorization: bearer', small(20), (value) => `authorization: bearer ${value}`),
  within('Authorization: Basic', base64(24), (value) => `curl -H "Authorization: Basic ${value}" https://a.example/`),
  within('Authorization: Token', small(18), (value) => `Authorization: Token ${value}`),
  within('Authorization in JSON', small(20), (value) => `{"headers": {"Authorization": "Bearer ${value}"}}`),
  within('Authorization: Digest', hex(18), (value) => `Authorization: Digest username="app", response="${value}"`),
  within('bearer without a field', small(20), (value) => `Send it as "Bearer ${value}" with each request`),
  within('X-Api-Key', small(18), (value) => `X-Api-Key: ${value}`),
  within('Set-Cookie', small(16), (value) => `Set-Cookie: visitor=${value}; Path=/; HttpOnly`),
  within('Cookie', small(16), (value) => `Cookie: lang=de; basket=${value}`),
  within('document.cookie', small(16), (value) => `document.cookie = "session=${value}; path=/";`),
  within('PHPSESSID', small(26), (value) => `Warning: session PHPSESSID=${value} expired`),
  within('JSESSIONID in a path', capitals(18), (value) => `<a href="/basket;jsessionid=${value}">`),
  within('connect.sid', `s%3A${urlSafe(20)}`, (value) => `debug: connect.sid=${value}`),
];

const URLS: readonly FakeSecret[] = [
  within('userinfo, https', `shop:${small(6)}`, (value) => `https://${value}@git.example.com/shop.git`),
  within('userinfo, postgres', `app:${password()}`, (value) => `postgres://${value}@db.example.com:5432/shop`),
  within('userinfo, mongodb', `app:${password()}`, (value) => `mongodb+srv://${value}@cluster.example.com/?w=1`),
  within('userinfo, redis', `:${small(9)}`, (value) => `redis://${value}@cache.example.com:6379`),
  within('userinfo with an @', `app:${small(5)}@${small(5)}`, (value) => `amqp://${value}@queue.example.com/`),
  within('userinfo, a token', small(24), (value) => `https://${value}@sentry.example.com/42`),
  within('query', `k=${small(8)}`, (value) => `https://cdn.example.com/film.mp4?${value}`),
  within('reset, mixed', alnum(22), (value) => `https://www.example.com/reset/${value}`),
  within('reset, with signs', `${alnum(10)}-${alnum(11)}`, (value) => `<a href="/password-reset/${value}">`),
  within('invite, small letters', small(22), (value) => `Open /invite/${value} to join`),
  within('reset, hexadecimal', hex(32), (value) => `/account/reset/${value}`),
  within('path segment', alnum(24), (value) => `GET /download/${value}/report.pdf`),
];

const FORMS: readonly FakeSecret[] = [
  within('input, bare', small(18), (value) => `<form><input name=csrf_token value=${value}></form>`),
  within('input, quoted', small(18), (value) => `<input type="hidden" name="authenticity_token" value="${value}">`),
  within(
    'input, value first',
    small(18),
    (value) => `<input value='${value}' type='hidden' name='csrfmiddlewaretoken'>`,
  ),
  within('input of a session', small(18), (value) => `<input type="hidden" name="sid" value="${value}">`),
  within('input of a password', password(), (value) => `<input type="password" value="${value}">`),
  within('meta', small(18), (value) => `<meta name="csrf-token" content="${value}">`),
  within('attribute of its own', small(18), (value) => `<body data-api-token="${value}">`),
];

function ofPem(shape: string, text: string): FakeSecret {
  return { shape, text, secrets: pemLines(text) };
}
const inJson = (block: string): string => JSON.stringify({ type: 'service_account', private_key: `${block}\n` });

const BLOCKS: readonly FakeSecret[] = [
  ofPem('PEM, PKCS #8', pem('PRIVATE KEY', 12)),
  ofPem('PEM, RSA of 4,096 bits', pem('RSA PRIVATE KEY', 50)),
  ofPem('PEM, OpenSSH', pem('OPENSSH PRIVATE KEY', 6)),
  ofPem('PEM, PGP', pem('PGP PRIVATE KEY BLOCK', 8)),
  ofPem('PEM in JSON', pem('PRIVATE KEY', 12)),
].map((block) => (block.shape === 'PEM in JSON' ? { ...block, text: inJson(block.text) } : block));

const WORDS: readonly FakeSecret[] = [
  within('random, mixed', alnum(24), (value) => `The code is ${value}, keep it.`),
  within('random, hexadecimal', hex(40), (value) => `revision ${value}.`),
  within('random, base64', `${alnum(30)}+${alnum(30)}==`, (value) => `blob: ${value}`),
];

export const FAKE_SECRETS: readonly FakeSecret[] = [
  ...KNOWN,
  ...NAMED,
  ...CALLS,
  ...HEADERS,
  ...URLS,
  ...FORMS,
  ...BLOCKS,
  ...WORDS,
];

const SEEN_CHARS = 8;

/** The parts of a secret of this length that a text shows; a short secret as a whole. */
export function seenOf({ secrets }: FakeSecret, text: string): readonly string[] {
  return secrets.flatMap((secret) => {
    const length = Math.min(SEEN_CHARS, secret.length);
    return Array.from({ length: secret.length - length + 1 }, (_, at) => secret.slice(at, at + length)).filter((part) =>
      text.includes(part),
    );
  });
}
