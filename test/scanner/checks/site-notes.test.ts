import t from 'tap';
import { SITE_NOTES } from '../../../src/scanner/checks/site-notes.js';
import { collectFrom } from '../../support/collect.js';
import type { FixtureSite } from '../../support/fixture-site.js';

const PLAIN = 'http://www.fixture-site.com/';
const PAGE = '<!doctype html><title>Home</title><p>Welcome</p>';

async function noteOn(routes: FixtureSite['routes'], id: string): Promise<string | undefined> {
  const home = await collectFrom({ routes }, 'home');
  if (!('ok' in home)) throw new Error('there is a home page');
  return SITE_NOTES.find((rule) => rule.id === id)?.note({ home: home.ok }, null)?.text;
}

t.test('HTTPS that does not work is told with what was read in its place, and what to do', async (t) => {
  const cases: readonly (readonly [what: string, routes: FixtureSite['routes'], expected: string])[] = [
    [
      'a certificate, and pages by http',
      { '/': { failure: 'tls_expired' }, [PLAIN]: PAGE },
      'HTTPS does not work: the TLS certificate has expired. Agents that ask by https get nothing; this report is about what http answers. Install a valid certificate with its full chain, then run again.',
    ],
    [
      'a certificate, and http that redirects to another host with https',
      {
        '/': { failure: 'tls_wrong_host' },
        [PLAIN]: { status: 301, headers: { location: 'https://fixture-site.com/' } },
        'https://fixture-site.com/': PAGE,
      },
      'HTTPS does not work at this host: the TLS certificate does not cover the host name. Agents that ask it by https get nothing; this report is about the https address that http redirects to. Install a valid certificate with its full chain, then run again.',
    ],
    [
      'a closed port, and pages by http',
      { '/': { failure: 'connect_failed' }, [PLAIN]: PAGE },
      'HTTPS does not work: the server refuses the connection or cannot be reached. Agents that ask by https get nothing; this report is about what http answers. Turn on HTTPS on port 443, then run again.',
    ],
    [
      'a redirect to a host whose port is closed',
      {
        '/': { status: 301, headers: { location: 'https://shop.fixture-site.com/' } },
        'https://shop.fixture-site.com/': { failure: 'connect_timeout' },
        [PLAIN]: PAGE,
      },
      "HTTPS does not work: it redirects to another host, but the server does not accept a connection within 5 seconds. Agents that ask by https get nothing; this report is about what http answers. Check that the server is up and that no firewall drops this scanner's requests, then run again.",
    ],
  ];
  for (const [what, routes, expected] of cases) t.equal(await noteOn(routes, 'https-fails'), expected, what);
  t.equal(await noteOn({ '/': PAGE }, 'https-fails'), undefined);
});
