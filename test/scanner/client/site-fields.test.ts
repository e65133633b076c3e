import t from 'tap';
import { withSiteFields } from '../../../src/scanner/client/stand-in.js';
import { FixtureTransport } from '../../support/fixture-site.js';

t.test('header fields go to the origin that they are for, and to no other', async (t) => {
  const seen: Record<string, string | undefined> = {};
  const remember = ({ url, headers }: { url: URL; headers: Readonly<Record<string, string>> }): string => {
    seen[url.href] = headers['x-preview'];
    return 'hello';
  };
  const site = {
    origin: 'https://www.fixture-site.com',
    routes: { '*': remember, 'https://other-site.com/*': remember },
  };
  const transport = withSiteFields(new FixtureTransport(site), new URL(site.origin), { 'x-preview': 'a' });
  const urls = ['https://www.fixture-site.com/b', 'https://other-site.com/', 'http://www.fixture-site.com/'];
  for (const url of urls) {
    const request = { url: new URL(url), method: 'GET', headers: {}, signal: new AbortController().signal } as const;
    await transport.exchange(request).catch(() => undefined);
    t.same(request.headers, {}, 'what others see of the request stays as it is');
  }
  t.equal(seen[urls[0]!], 'a');
  t.equal(seen[urls[1]!], undefined);
  await transport.close();
});
