import { crc32 } from 'node:zlib';
import t from 'tap';
import { hintOfApiKey, isApiKey, newApiKey } from '../../../src/platform/ids.js';
import { parseDisplayName, parseEmail } from '../../../src/app/accounts/accounts.js';
import { InputError } from '../../../src/platform/errors.js';
import { isSiteHostname, parseSiteInput, parseSiteOfPage } from '../../../src/app/sites/site-input.js';

t.test('an API key has its prefix, 30 random characters and their checksum, which detects every change', async (t) => {
  const key = newApiKey();
  t.match(key, /^ars_[0-9A-Za-z]{36}$/);
  t.ok(isApiKey(key));
  const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const checksum = Array.from(key.slice(-6)).reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0);
  t.equal(checksum, crc32(key.slice(0, -6)));
  t.equal(hintOfApiKey(key), key.slice(4, 8));
  for (let at = 0; at < key.length; at += 1) {
    const changed = key.slice(0, at) + (key.charAt(at) === 'x' ? 'y' : 'x') + key.slice(at + 1);
    t.notOk(isApiKey(changed), `at ${at}`);
  }
  for (const text of ['', 'ars_', `${key} `, `${key}\n`, key.slice(1), `${key}0`]) t.notOk(isApiKey(text));
});

t.test('all base62 characters are equally likely', async (t) => {
  const counts = new Map<string, number>();
  for (let round = 0; round < 2000; round += 1) {
    for (const character of newApiKey().slice(4, 34)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  t.equal(counts.size, 62);
  // 60,000 characters: 968 of each on average, with a standard deviation of 31. A biased byte would give some 1,160.
  for (const count of counts.values()) t.ok(count > 760 && count < 1140);
});

t.test('a site is a host name, an origin, or the address of a page', async (t) => {
  const cases: Readonly<Record<string, string>> = {
    'example.com': 'https://example.com',
    ' WWW.Example.COM. ': 'https://www.example.com',
    'https://example.com/': 'https://example.com',
    'HTTPS://example.com:443': 'https://example.com',
    'https://www.example.com/shop?x=1#top': 'https://www.example.com',
    'example.com/shop': 'https://example.com',
    'https://example.com.:8443': 'https://example.com:8443',
    'http://127.0.0.1:8080': 'http://127.0.0.1:8080',
    'bücher.example.com': 'https://xn--bcher-kva.example.com',
    '例え.テスト': 'https://xn--r8jz45g.xn--zckzah',
    'ｅｘａｍｐｌｅ．com': 'https://example.com',
    'http://[::1]:3000': 'http://[::1]:3000',
    // What browsers take for http://example.com/; not a host named http.
    'http:\\\\example.com\\': 'http://example.com',
    'https:/example.com': 'https://example.com',
  };
  for (const [input, origin] of Object.entries(cases)) {
    const parsed = parseSiteInput(input);
    t.same([parsed.origin.href, parsed.hostname], [`${origin}/`, new URL(origin).host], input);
    t.ok(isSiteHostname(parsed.hostname), input);
  }
});

t.test('the site of a page is its origin, by https unless it has a port', async (t) => {
  for (const [input, origin] of Object.entries({
    'http://example.com:80/shop?q=1#top': 'https://example.com/',
    ' http://WWW.Example.com.:8080/a/../b ': 'http://www.example.com:8080/',
    [`https://example.com/${'x'.repeat(1900)}`]: 'https://example.com/',
  }))
    t.equal(parseSiteOfPage(input).origin.href, origin);
  t.throws(() => parseSiteOfPage(`https://example.com/${'x'.repeat(2000)}`), InputError);
});

t.test('only host names in normal form are recognised', async (t) => {
  const good = 'example.com xn--bcher-kva.example.com 127.0.0.1:8080 [::1]:3000 example.com:80 example.com:443';
  for (const text of good.split(' ')) t.ok(isSiteHostname(text), text);
  const bad = 'EXAMPLE.com bücher.example.com a/b a@b a?b a#b http://a \u0000 a:99999'.split(' ');
  for (const text of [...bad, '', 'a b', `${'a'.repeat(300)}.com`]) t.notOk(isSiteHostname(text), JSON.stringify(text));
});

t.test('an e-mail address is stored in lower case', async (t) => {
  t.equal(parseEmail(' Ada.Lovelace+x@Example.com '), 'ada.lovelace+x@example.com');
  t.equal(parseEmail('ü@bücher.example'), 'ü@bücher.example');
  const refused = 'a a@b @example.com a@@example.com a@example..com <a@example.com>'.split(' ');
  const long = [`${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(250)}.com`];
  for (const input of [...refused, ...long, '', 'a b@example.com', 'a@exam\nple.com']) {
    t.throws(() => parseEmail(input), InputError, JSON.stringify(input));
  }
});

t.test('a name is short and has no disguising characters', async (t) => {
  t.equal(parseDisplayName('  Zoë’s 店  '), 'Zoë’s 店');
  for (const [index, input] of ['', '   ', 'x'.repeat(101), 'a\u0000b', 'a\nb', 'a\u202Eb', 'a\u2028b'].entries()) {
    t.throws(() => parseDisplayName(input), InputError, `name ${index}`);
  }
});

t.test('hostile input of any length is refused', async (t) => {
  for (const text of ['a'.repeat(100_000), 'a.'.repeat(50_000), '@'.repeat(100_000), `a@${'a.'.repeat(50_000)}`]) {
    for (const parse of [parseEmail, parseSiteInput, parseSiteOfPage, parseDisplayName])
      t.throws(() => parse(text), InputError);
  }
});
