import t from 'tap';
import { fingerprintOf, isSameBody, removeNames } from '../../../src/scanner/probe/control.js';
import type { FetchOptions } from '../../../src/scanner/client/visit.js';
import { visitSite } from '../../support/visit-site.js';

async function responseOf(body: string, path = '/', options: FetchOptions = {}) {
  const fetched = await visitSite({ [path]: body }).fetch(path, options);
  if ('failure' in fetched) throw new Error(fetched.failure);
  return fetched.response;
}

async function fingerprint(body: string, path = '/'): Promise<string> {
  return fingerprintOf({ path, response: await responseOf(body, path) });
}

t.test('names are taken out as wholes', async (t) => {
  t.equal(removeNames('see /news/today, not newsletter', ['/news/today']), 'see /, not newsletter');
  t.equal(removeNames('the news of today', ['/news/today']), 'the  of ');
  t.equal(removeNames('aaaab aaaa aaaaa', ['/aaaa']), 'aaaab  aaaaa');
  t.equal(removeNames('from=%2Fnews, +news+', ['/news']), 'from=%2F, ++', 'an encoded character is no word');
  t.equal(removeNames('a.b+c and axbbc', ['/a.b+c']), ' and axbbc');
  const long = `ab${'a'.repeat(300)}`;
  t.equal(removeNames(`see ${long}`, [`/${long}`]), `see ${long}`, 'no page names an address so long');
});

t.test('long hexadecimal runs do not count, short ones do', async (t) => {
  t.equal(await fingerprint('xdeadbeef'), await fingerprint('x'));
  t.equal(await fingerprint('xdeadbeefy'), await fingerprint('xy'));
  for (const other of ['', 'aeadbee', 'daadbee', 'deadbea', 'deadbe']) {
    t.not(await fingerprint(`x${other}`), await fingerprint('xdeadbee'), other);
  }
});

t.test('a body of nothing that is steady has an empty fingerprint', async (t) => {
  for (const body of ['', ' \t\r\n\v\f', '0123456', 'deadbeef', 'DEADBEEF0', 'name']) {
    t.equal(await fingerprint(body, '/name'), '', JSON.stringify(body));
  }
  t.not(await fingerprint('dead beef cafe'), '', 'white space ends a run');
});

t.test('a large page is hashed once, however many links are compared with it', async (t) => {
  const response = await responseOf('news '.repeat(60_000));
  const first = fingerprintOf({ path: '/a', response }, '/control');
  response.body.fill(0);
  t.equal(fingerprintOf({ path: '/b', response }, '/control'), first);
});

t.test('a body that was cut is the same as no other, since what follows is not known', async (t) => {
  const asked = async (size: number) => {
    const response = await responseOf('x'.repeat(size), '/', { bodyBytesMax: 1000 });
    return { path: '/', response, fingerprint: 'the same' };
  };
  const [whole, cut] = [await asked(1000), await asked(1001)];
  t.same([isSameBody(whole, whole), isSameBody(whole, cut), isSameBody(cut, whole)], [true, false, false]);
});
