import t from 'tap';
import { isLocalNetworkAddress, isPrivateHost, isPublicAddress, parseCidr } from '../../src/net/address.js';
import type { Cidr } from '../../src/net/address.js';
import { createGuard, excludeHosts, vetTarget, findLocalEndpoints } from '../../src/net/guard.js';
import { canonicalUrl } from '../../src/net/url-gate.js';
import { SSRF_VECTORS } from '../support/ssrf-vectors.js';

const cidrs = (...texts: readonly string[]): Cidr[] => texts.flatMap((text) => parseCidr(text) ?? []);
const guard = createGuard({ ownAddresses: [] });

t.test('every URL of the attack list gets its verdict', async (t) => {
  for (const { input, code, why } of SSRF_VECTORS.filter(({ kind }) => kind === 'url')) {
    const verdict = URL.canParse(input) ? guard.vetUrl(new URL(input)) : 'url_invalid';
    t.equal(verdict, code ?? null, `${JSON.stringify(input)}: ${why}`);
  }
});

t.test('every address of the attack list gets its verdict', async (t) => {
  for (const { input, expect, why } of SSRF_VECTORS.filter(({ kind }) => kind === 'address')) {
    t.equal(guard.isAllowedAddress(input), expect === 'allow', `${input}: ${why}`);
  }
});

t.test('what is not an address in its strict spelling is not public', async (t) => {
  const inputs = ['', 'localhost', '0x7f.1', '2130706433', '8.8.8', '8.8.8.8 ', 'fe80::1%eth0', '2606:4700::1%1'];
  for (const input of inputs) t.notOk(isPublicAddress(input), JSON.stringify(input));
});

t.test('a range is read strictly', async (t) => {
  for (const [text, inside, outside] of [
    ['10.0.0.0/8', '10.255.0.1', '11.0.0.1'],
    ['192.0.2.7', '192.0.2.7', '192.0.2.8'],
    ['fd00::/8', 'fdff::1', 'fe00::1'],
  ] as const) {
    t.ok(parseCidr(text)?.contains(inside), `${inside} in ${text}`);
    t.notOk(parseCidr(text)?.contains(outside), `${outside} not in ${text}`);
  }
  t.notOk(parseCidr('0.0.0.0/0')?.contains('::1'), 'the families are apart');
  for (const text of ['', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8x', '10/8', 'localhost', '::/129']) {
    t.equal(parseCidr(text), null, JSON.stringify(text));
  }
});

t.test('a special-use name leads to no public site', async (t) => {
  for (const tld of ['localhost', 'local', 'internal', 'test', 'invalid', 'example', 'onion', 'alt', 'arpa']) {
    t.equal(guard.vetUrl(new URL(`https://www.shop.${tld}/`)), 'host_not_allowed', tld);
  }
});

t.test('a site is added by name', async (t) => {
  const verdicts = {
    'https://www.fixture-site.com': null,
    'https://-odd-.fixture-site.com': null,
    'https://8.8.8.8': 'host_not_allowed',
    'https://[2606:4700:4700::1111]': 'host_not_allowed',
    'http://192.168.0.1': 'address_not_public',
    'https://github.io': 'host_not_allowed',
    'https://localhost': 'host_not_allowed',
    'https://www.fixture-site.com:8443': 'port_not_allowed',
  };
  for (const [url, verdict] of Object.entries(verdicts)) t.equal(guard.vetSite(new URL(url)), verdict, url);
  t.equal(guard.vetUrl(new URL('https://8.8.8.8')), null, 'a public address may still be redirected to');
});

t.test("the operator's exceptions open what they name, and no more", async (t) => {
  const opened = createGuard({ allowCidrs: cidrs('10.1.0.0/16'), allowPorts: [8080] });
  for (const [url, verdict] of [
    ['http://10.1.2.3:8080/', null],
    ['http://10.1.2.3/', null],
    ['http://10.2.0.1/', 'address_not_public'],
    ['http://10.1.2.3:8081/', 'port_not_allowed'],
    ['http://127.0.0.1:8080/', 'address_not_public'],
    ['http://[::ffff:10.1.2.3]/', 'address_not_public'],
    ['http://www.fixture-site.com:8080/', null],
    ['http://localhost:8080/', 'host_not_allowed'],
  ] as const) {
    t.equal(opened.vetUrl(new URL(url)), verdict, url);
    if (url.includes('10.')) t.equal(opened.vetSite(new URL(url)), verdict, `as a site: ${url}`);
  }
  t.ok(opened.isAllowedAddress('10.1.255.255'));
  t.same(['10.1.255.255', '10.2.0.1', '8.8.8.8'].map(opened.isExemptAddress), [true, false, false]);
});

t.test('an excepted endpoint is one address at one port, for a URL that spells it out', async (t) => {
  const demo = createGuard({ allowEndpoints: [{ address: '127.0.0.1', port: 43_210 }] });
  t.equal(demo.vetSite(new URL('http://127.0.0.1:43210/')), null);
  for (const url of ['http://127.0.0.1/', 'http://127.0.0.2:43210/', 'http://8.8.8.8:43210/', 'http://a.com:43210/']) {
    t.not(demo.vetUrl(new URL(url)), null, url);
  }
  t.notOk(demo.isAllowedAddress('127.0.0.1'), 'a name that resolves there is refused');
});

t.test('an excepted endpoint may have a name of its own, which stands for it at its port alone', async (t) => {
  const demo = createGuard({ allowEndpoints: [{ host: 'localhost', address: '127.0.0.1', port: 43_210 }] });
  const target = { guard: demo, resolver: { resolveAddresses: () => Promise.resolve(['127.0.0.1']) } };
  t.equal(demo.vetSite(new URL('http://localhost:43210/')), null);
  t.equal(await vetTarget(target, new URL('http://localhost:43210/')), null, 'and is not looked up');
  t.same(demo.endpointAddresses('localhost', 43_210), ['127.0.0.1']);
  for (const url of [
    ...['http://localhost/', 'http://localhost:43211/', 'http://127.0.0.1:43210/', 'http://[::1]:43210/'],
    ...['http://inside.localhost:43210/', 'http://localhost.:43210/', 'http://www.fixture-site.com:43210/'],
    ...['http://u@localhost:43210/', 'ftp://localhost:43210/'],
  ])
    t.not(demo.vetUrl(new URL(url)), null, url);
  t.same(demo.endpointAddresses('localhost', 80), []);
  t.notOk(demo.isAllowedAddress('127.0.0.1'), 'a name that resolves there is refused');
});

t.test('public addresses of our own machine are refused', async (t) => {
  const guarded = createGuard({ ownAddresses: ['203.1.2.3', '2606:4700::1'], allowCidrs: cidrs('203.1.2.4') });
  t.notOk(guarded.isAllowedAddress('203.1.2.3'));
  t.notOk(guarded.isAllowedAddress('2606:4700:0:0:0:0:0:1'), 'in any spelling');
  t.ok(guarded.isAllowedAddress('203.1.2.4'));
});

t.test('the URL that is fetched has no fragment and no trailing dot', async (t) => {
  t.equal(canonicalUrl(new URL('https://Example.COM.:443/a?b#c')).href, 'https://example.com/a?b');
});

t.test('an excluded host is refused with every name below it, on any port', (t) => {
  const guard = excludeHosts(createGuard({ allowPorts: [8443] }), ['example-shop.com']);
  for (const host of ['example-shop.com', 'example-shop.com.', 'a.b.example-shop.com', 'www.example-shop.com:8443']) {
    t.equal(guard.vetUrl(new URL(`https://${host}/page`)), 'host_excluded', host);
    t.equal(guard.vetSite(new URL(`https://${host}`)), 'host_excluded', host);
  }
  for (const host of ['my-example-shop.com', 'example-shop.com.other.org'])
    t.equal(guard.vetUrl(new URL(`https://${host}/`)), null, host);
  t.end();
});

t.test('a URL that nobody on the internet can follow is known without a look-up', async (t) => {
  for (const host of [
    ...['localhost', 'localhost.', 'localhost:3000', 'app.localhost', 'printer.local', 'api.internal', 'nas.home.arpa'],
    ...['127.0.0.1', '0x7f.1', '10.1.2.3', '192.168.0.9:8080', '169.254.169.254'],
    ...['[::1]', '[fd00::1]', '[::ffff:10.0.0.1]'],
  ])
    t.ok(isPrivateHost(new URL(`http://${host}/x`)), host);
  for (const host of [
    ...['www.example.com', 'localhost.com', 'local.org', 'internal.com', 'mylocal', '8.8.8.8', '[2606:4700::1]'],
  ])
    t.notOk(isPrivateHost(new URL(`http://${host}/x`)), host);
});

const resolver = (...addresses: string[]) => ({ resolveAddresses: async () => addresses });

t.test('loopback and private addresses are one’s own; link-local ones and those of metadata are not', async (t) => {
  const own = ['127.0.0.1', '127.9.9.9', '10.0.0.1', '172.31.0.1', '192.168.1.2', '::1', 'fd12:3456::1'];
  for (const address of own) t.ok(isLocalNetworkAddress(address), address);
  const others = [
    ...['169.254.169.254', '169.254.1.1', 'fe80::1', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200'],
    ...['fd00:ec2::23', 'fd00:c1::a9fe:a9fe', 'fd00:42::42', 'fd00:a9fe:a9fe::1', 'fd00:100::100:200'],
    ...['0.0.0.0', '::', '8.8.8.8', '172.32.0.1', '168.63.129.16', '224.0.0.1', '::ffff:127.0.0.1', 'localhost', ''],
  ];
  for (const address of others) t.notOk(isLocalNetworkAddress(address), address);
});

t.test('a server of one’s own opens its host at its port, and nothing around it', async (t) => {
  const endpoints = await findLocalEndpoints(new URL('http://localhost:4000'), resolver('8.8.8.8'));
  const ofHost = (address: string) => ({ address, port: 4000, host: 'localhost' });
  t.same(endpoints, [ofHost('127.0.0.1'), ofHost('::1')]);
  const guard = createGuard({ allowEndpoints: endpoints ?? [] });
  t.equal(guard.vetUrl(new URL('http://localhost:4000/a')), null);
  t.same(guard.endpointAddresses('localhost', 4000), ['127.0.0.1', '::1'], 'whichever answers');
  // Where a redirect of such a server may lead.
  for (const url of [
    ...['http://localhost:4001/', 'http://127.0.0.1:4000/', 'http://169.254.169.254/', 'http://10.0.0.1:4000/'],
    ...['http://[fd00:ec2::254]/', 'http://metadata.google.internal/', 'http://a.localhost:4000/'],
  ]) {
    t.not(guard.vetUrl(new URL(url)), null, url);
  }
});

t.test('an address or a name of a private network will do, one that leads elsewhere will not', async (t) => {
  const find = (url: string, ...addresses: string[]) => findLocalEndpoints(new URL(url), resolver(...addresses));
  t.same(await find('http://192.168.1.2'), [{ address: '192.168.1.2', port: 80 }]);
  t.same(await find('https://[::1]:8443'), [{ address: '::1', port: 8443 }]);
  t.same(await find('https://shop.test', '10.1.1.1'), [{ address: '10.1.1.1', port: 443, host: 'shop.test' }]);
  for (const addresses of [['10.1.1.1', '8.8.8.8'], ['169.254.169.254']])
    t.equal(await find('https://shop.test', ...addresses), null);
  for (const url of ['http://169.254.169.254', 'http://8.8.8.8']) t.equal(await find(url), null);
  const lost = { resolveAddresses: () => Promise.reject(new Error('no such name')) };
  t.equal(await findLocalEndpoints(new URL('https://shop.test'), lost), null);
});
