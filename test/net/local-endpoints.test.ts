import t from 'tap';
import { isOwnNetworkAddress } from '../../src/net/address.js';
import { createGuard, findLocalEndpoints } from '../../src/net/guard.js';

const resolver = (...addresses: string[]) => ({ resolveAddresses: async () => addresses });

t.test('loopback and private addresses are one’s own; link-local ones and those of metadata are not', async (t) => {
  const own = ['127.0.0.1', '127.9.9.9', '10.0.0.1', '172.31.0.1', '192.168.1.2', '::1', 'fd12:3456::1'];
  for (const address of own) t.ok(isOwnNetworkAddress(address), address);
  const others = [
    ...['169.254.169.254', '169.254.1.1', 'fe80::1', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200'],
    ...['fd00:ec2::23', 'fd00:c1::a9fe:a9fe', 'fd00:42::42', 'fd00:a9fe:a9fe::1', 'fd00:100::100:200'],
    ...['0.0.0.0', '::', '8.8.8.8', '172.32.0.1', '168.63.129.16', '224.0.0.1', '::ffff:127.0.0.1', 'localhost', ''],
  ];
  for (const address of others) t.notOk(isOwnNetworkAddress(address), address);
});

t.test('a server of one’s own opens its host at its port, and nothing around it', async (t) => {
  const endpoints = await findLocalEndpoints(new URL('http://localhost:4000'), resolver('8.8.8.8'));
  t.same(endpoints, [
    { address: '127.0.0.1', port: 4000, host: 'localhost' },
    { address: '::1', port: 4000, host: 'localhost' },
  ]);
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
  t.equal(await find('https://shop.test', '10.1.1.1', '8.8.8.8'), null);
  t.equal(await find('https://shop.test', '169.254.169.254'), null);
  t.equal(await find('http://169.254.169.254'), null);
  t.equal(await find('http://8.8.8.8'), null);
  const lost = { resolveAddresses: () => Promise.reject(new Error('no such name')) };
  t.equal(await findLocalEndpoints(new URL('https://shop.test'), lost), null);
});
