import t from 'tap';
import { excerptOf } from '../../../src/scanner/trace/excerpt.js';
import { maskSecrets } from '../../../src/scanner/trace/mask.js';
import { HOSTILE_TO_MASKS } from '../../security/hostile/hostile-texts.js';
import { FAKE_SECRETS, seenOf } from '../../support/fake-secrets.js';
import { makeOrdinaryExcerpts } from '../../support/ordinary-excerpts.js';

const SECRETS = [
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'sk_live_51H8abcdefGHIJKL',
  'sk-proj-abcdefgh12345678',
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'github_pat_11ABCDEFG0abcdefghijkl',
  'AKIAIOSFODNN7EXAMPLE',
  'AIzaSyA1234567890abcdefghijklmnopqrstu',
  'xoxb-123456789012-abcdefghijkl',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'dGhpcyBpcyBhIHNlY3JldCB0b2tlbiAxMjM0NTY3ODkw',
];

t.test('what looks like a secret is masked, character by character', async (t) => {
  for (const secret of SECRETS) {
    t.equal(maskSecrets(`before ${secret} after`), `before ${'•'.repeat(secret.length)} after`, secret);
  }
  t.equal(maskSecrets('{"api_key": "hunter2hunter2"}'), '{"api_key": "••••••••••••••"}');
  t.equal(maskSecrets('password=hunter2hunter2'), 'password=••••••••••••••');
  t.equal(maskSecrets('https://a.example/x?sid=12 next'), 'https://a.example/x?•••••• next');
  t.equal(maskSecrets('Authorization: Bearer abcdefghijk'), 'Authorization: ••••••••••••••••••');
});

t.test('words, slugs and rules stay', async (t) => {
  for (const text of [
    'User-agent: OAI-SearchBot\nDisallow: /*?sessionid=',
    '- [A long title](https://www.example.com/how-to-make-your-site-ready-for-agents-in-2026.html)',
    '{"@type": "Organization", "@id": "https://www.example.com/#organization"}',
    'https://schema.org/BreadcrumbList Getting-Started-With-Agents-2026',
    'The token that clients send is secret.',
  ]) {
    t.equal(maskSecrets(text), text);
  }
});

t.test('each shape of secret is masked wherever its line stands', async (t) => {
  t.ok(FAKE_SECRETS.length >= 69);
  for (const secret of FAKE_SECRETS) {
    const text = `First line\n${secret.text}\nLast line\n`;
    const masked = maskSecrets(text);
    t.same(seenOf(secret, masked), [], secret.shape);
    t.equal(masked.split('\n').length, text.split('\n').length, 'lines keep their numbers');
    t.match(masked, /^First line\n[^]*\nLast line\n$/);
  }
});

t.test('a block that an edge cuts is masked all the same', async (t) => {
  const block = FAKE_SECRETS.find(({ shape }) => shape === 'PEM, RSA of 4,096 bits');
  if (!block) throw new Error('there is no such shape');
  const lines = block.text.split('\n').length;
  for (let line = 2; line < lines; line += 5) {
    const { text } = await excerptOf(`${block.text}\nend`, [{ file: 'llms.txt', at: { line } }]);
    t.same(seenOf(block, text), [], `line ${line}`);
    const cut = block.text.split('\n').slice(0, line).join('\n');
    t.same(seenOf(block, maskSecrets(cut)), [], `cut behind line ${line}`);
  }
});

t.test('a name says so as a whole word, at its end', async (t) => {
  for (const name of [
    'author',
    'keywords',
    'tokenizer',
    'max_tokens',
    'token_endpoint',
    'secretary',
    'monkey',
    'passport',
  ]) {
    for (const text of [
      `${name}=abcdefgh`,
      `${name}: abcdefgh`,
      `{"${name}": "abcdefgh"}`,
      `<meta name="${name}" content="abcdefgh">`,
    ]) {
      t.equal(maskSecrets(text), text);
    }
  }
  for (const name of [
    'apiKey',
    'DB_PASSWORD',
    'x-auth-token',
    'clientSecret2',
    'PASSWORD_PROD',
    'my.secret',
    'sessionId',
    'APIToken',
  ]) {
    t.equal(maskSecrets(`${name}=abcdefgh`), `${name}=••••••••`);
  }
});

t.test('of what is not a value, nothing is masked', async (t) => {
  for (const text of [
    'const token = getToken(request);',
    'password: string;',
    'password: process.env.DB_PASSWORD',
    'API_KEY=<your key>',
    'token: ${{ secrets.TOKEN }}',
    'curl -H "Authorization: Bearer $KEY"',
    '"secret": null',
    'Session: Introduction to agents',
  ]) {
    t.equal(maskSecrets(text), text);
  }
});

t.test('at most 1 % of ordinary excerpts is masked without need', async (t) => {
  const { ordinary, assets } = makeOrdinaryExcerpts();
  const masked = (texts: readonly string[]) =>
    texts.map((text) => text.replaceAll('•', '*')).filter((text) => maskSecrets(text).includes('•'));
  t.equal(ordinary.length, 1000);
  t.ok(masked(ordinary).length <= 10, `${masked(ordinary).length} of 1,000`);
  t.comment(
    `${masked(ordinary).length} of 1,000 ordinary excerpts, ${masked(assets).length} of ${assets.length} with hashes or UUIDs`,
  );
});

t.test('hostile text costs no more than its length', async (t) => {
  for (const part of HOSTILE_TO_MASKS) {
    const text = part.repeat(Math.ceil(3024 / part.length));
    t.equal(maskSecrets(text).length, text.length, part);
  }
});
