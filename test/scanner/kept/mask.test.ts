import t from 'tap';
import { maskSecrets } from '../../../src/scanner/kept/mask.js';

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

t.test('hostile text costs no more than its length', async (t) => {
  for (const part of ['eyJ-', 'https://', 'token=', 'sk-ant-', 'Bearer ', 'aA1', 'a-', '"token": "']) {
    const text = part.repeat(Math.ceil(3024 / part.length));
    t.equal(maskSecrets(text).length, text.length, part);
  }
});
