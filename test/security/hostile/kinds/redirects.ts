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
  {
    name: 'redirect: to itself',
    harm: 'goes round for ever',
    behave: (socket, { path }) => void socket.write(redirectTo(path)),
  },
  {
    name: 'redirect: between two pages',
    harm: 'goes round for ever',
    behave: (socket, { path }) => void socket.write(redirectTo(path === '/a' ? '/b' : '/a')),
  },
  {
    name: 'redirect: to a new page each time',
    harm: 'goes on for ever without coming by twice',
    behave: (socket) => void socket.write(redirectTo(`/${(steps += 1)}`)),
  },
  {
    name: 'redirect: 307 to a new page each time',
    harm: 'has a POST sent again and again',
    behave: (socket) => void socket.write(redirectTo(`/${(steps += 1)}`, '307 Temporary Redirect')),
  },
  {
    name: 'redirect: the path grows with each hop',
    harm: 'doubles with each hop',
    behave: (socket, { path }) => void socket.write(redirectTo(`${path.slice(0, 6000)}x${path.slice(0, 6000)}`)),
  },
  ...Object.entries(PLACES).map(([place, location]): WireKind => ({
    name: `redirect: to ${place}`,
    harm: 'leads a scanner where it must not go',
    behave: say(redirectTo(location)),
    homeYields: location === '' ? {} : 'nothing',
  })),
  {
    name: 'redirect: two places at once',
    harm: 'leads two readers to two places',
    behave: say(redirectTo('/a', '302 Found', 'location: /b\r\n')),
  },
  {
    name: 'redirect: with an endless body',
    harm: 'has the body of a redirect read to its end',
    behave: floodAfter(`${MOVED}\r\n`, 'x'),
  },
  {
    name: 'redirect: with a body that drips',
    harm: 'keeps the next hop waiting',
    behave: dripAfter(`${MOVED}content-length: 9999\r\n\r\n`, 'x'),
  },
  {
    name: 'redirect: with a brotli bomb',
    harm: 'has the body of a redirect decoded',
    behave: say(
      Buffer.concat([
        Buffer.from(`${MOVED}content-encoding: br\r\nconnection: close\r\n\r\n`, LATIN),
        brotliCompressSync(Buffer.alloc(4_194_304)),
      ]),
      'close',
    ),
  },
  {
    name: 'redirect: to a page that stalls',
    harm: 'spends the time of one page on six',
    behave: (socket, { path }) => {
      if (path !== '/silent') socket.write(redirectTo('/silent'));
    },
  },
  {
    name: 'redirect: 300 without a place',
    harm: 'leaves the choice to a reader',
    behave: say(answer('', '', '300 Multiple Choices')),
  },
  {
    name: 'redirect: by a Refresh field',
    harm: 'sends browsers on without a redirect',
    behave: say(answer('', 'refresh: 0; url=http://127.0.0.1/\r\n')),
    homeYields: {},
  },
]);
