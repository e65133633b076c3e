import { brotliCompressSync } from 'node:zlib';
import { PUBLIC_ADDRESS } from '../../../support/network-scene.js';
import { answer, dripAfter, floodAfter, say, type WireKind, wireKinds } from '../wire-kind.js';

function redirectTo(location: string, status = '302 Found', fields = ''): Buffer {
  return answer('', `location: ${location}\r\n${fields}`, status);
}

const MOVED = 'HTTP/1.1 302 Found\r\nlocation: /next\r\n';
const LATIN = 'latin1';

let steps = 0;

/** Where a Location leads, and what a run makes of it. */
const PLACES: Readonly<Record<string, string>> = {
  'another port of the same host': '//h1.hostile-site.com:81/',
  'port 0': '//h1.hostile-site.com:0/',
  'a port past the last': '//h1.hostile-site.com:99999/',
  'this machine': 'http://127.0.0.1/',
  'a host that does not exist': 'http://nowhere.hostile-site.com/',
  credentials: 'http://user:password@h1.hostile-site.com/',
  'a file': 'file:///etc/passwd',
  data: 'data:text/html,<h1>Hello',
  'a script': 'javascript:alert(1)',
  'no URL': 'http://[::1',
  nothing: '',
  'an address by its digits': `http://${[...PUBLIC_ADDRESS.split('.')].map(Number).join('.')}:1/`,
  'a name of 9,000 characters': `http://${'a.'.repeat(4500)}com/`,
  'a path of 15,000 characters': `/${'%2e%2e/'.repeat(2100)}`,
};

/** Redirects that lead nowhere, or to something that nobody wants to meet. */
export const REDIRECT_KINDS = wireKinds([
  ['redirect: to itself', (socket, { path }) => void socket.write(redirectTo(path))],
  ['redirect: between two pages', (socket, { path }) => void socket.write(redirectTo(path === '/a' ? '/b' : '/a'))],
  ['redirect: to a new page each time', (socket) => void socket.write(redirectTo(`/${(steps += 1)}`))],
  [
    'redirect: 307 to a new page each time',
    (socket) => void socket.write(redirectTo(`/${(steps += 1)}`, '307 Temporary Redirect')),
  ],
  [
    'redirect: the path grows with each hop',
    (socket, { path }) => void socket.write(redirectTo(`${path.slice(0, 6000)}x${path.slice(0, 6000)}`)),
  ],
  ...Object.entries(PLACES).map(([place, location]): WireKind => [
    `redirect: to ${place}`,
    say(redirectTo(location)),
    location === '' ? {} : 'nothing',
  ]),
  ['redirect: two places at once', say(redirectTo('/a', '302 Found', 'location: /b\r\n'))],
  ['redirect: with an endless body', floodAfter(`${MOVED}\r\n`, 'x')],
  ['redirect: with a body that drips', dripAfter(`${MOVED}content-length: 9999\r\n\r\n`, 'x')],
  [
    'redirect: with a brotli bomb',
    say(
      Buffer.concat([
        Buffer.from(`${MOVED}content-encoding: br\r\nconnection: close\r\n\r\n`, LATIN),
        brotliCompressSync(Buffer.alloc(4_194_304)),
      ]),
      'close',
    ),
  ],
  [
    'redirect: to a page that stalls',
    (socket, { path }) => {
      if (path !== '/silent') socket.write(redirectTo('/silent'));
    },
  ],
  ['redirect: 300 without a place', say(answer('', '', '300 Multiple Choices'))],
  ['redirect: by a Refresh field', say(answer('', 'refresh: 0; url=http://127.0.0.1/\r\n')), {}],
]);
