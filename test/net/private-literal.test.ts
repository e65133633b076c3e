import t from 'tap';
import { isPrivateLiteral } from '../../src/net/address.js';

t.test('a URL that nobody on the internet can follow', async (t) => {
  for (const host of [
    'localhost',
    'localhost.',
    'localhost:3000',
    'app.localhost',
    'printer.local',
    'api.internal',
    'nas.home.arpa',
    '127.0.0.1',
    '0x7f.1',
    '10.1.2.3',
    '192.168.0.9:8080',
    '169.254.169.254',
    '[::1]',
    '[fd00::1]',
    '[::ffff:10.0.0.1]',
  ])
    t.ok(isPrivateLiteral(new URL(`http://${host}/x`)), host);
});

t.test('a URL that somebody may be able to follow', async (t) => {
  for (const host of [
    'www.example.com',
    'localhost.com',
    'local.org',
    'internal.com',
    'mylocal',
    '8.8.8.8',
    '[2606:4700::1]',
  ])
    t.notOk(isPrivateLiteral(new URL(`http://${host}/x`)), host);
});
