import t from 'tap';
import { fingerprintOf, isSameBody } from '../../../src/scanner/probe/likeness.js';
import { visitSite } from '../../support/visit-site.js';

const BLOCK_BYTES = 65_536;

async function fingerprint(body: string, path = '/'): Promise<string> {
  const fetched = await visitSite({ [path]: { body } }).fetch(path);
  if ('failure' in fetched) throw new Error(fetched.failure);
  return fingerprintOf({ path, response: fetched.response });
}

t.test('a long hexadecimal run does not count wherever a block ends within it', async (t) => {
  for (let before = BLOCK_BYTES - 9; before <= BLOCK_BYTES + 1; before += 1) {
    const steady = 'x'.repeat(before);
    t.equal(await fingerprint(`${steady}deadbeef`), await fingerprint(steady), `at the end, after ${before}`);
    t.equal(await fingerprint(`${steady}deadbeefy`), await fingerprint(`${steady}y`), `after ${before}`);
    const short = await fingerprint(`${steady}deadbee`);
    for (const other of ['', 'aeadbee', 'daadbee', 'deadbea', 'deadbe']) {
      t.not(await fingerprint(steady + other), short, `a short one counts, after ${before}: ${other}`);
    }
  }
  t.not(await fingerprint('x'.repeat(BLOCK_BYTES)), await fingerprint('x'.repeat(BLOCK_BYTES + 1)));
});

t.test('a body of nothing that is steady has an empty fingerprint', async (t) => {
  for (const body of [
    '',
    ' \t\r\n\v\f',
    '0123456',
    'deadbeef',
    'DEADBEEF0',
    ' '.repeat(BLOCK_BYTES),
    '/name'.slice(1),
  ]) {
    t.equal(await fingerprint(body, '/name'), '', JSON.stringify(body.slice(0, 10)));
  }
  t.not(await fingerprint('dead beef cafe'), '', 'white space ends a run');
  t.not(await fingerprint(`${'x'.repeat(BLOCK_BYTES)}deadbeef`), '', 'what was hashed in an earlier block counts');
});

t.test('a body is looked through once, however often it is compared', async (t) => {
  const fetched = await visitSite({ '/': { body: '<p>glaze <p>bowls' } }).fetch('/');
  if ('failure' in fetched) throw new Error(fetched.failure);
  const asked = { path: '/home', response: fetched.response };
  const before = fingerprintOf(asked, '/bowls');
  fetched.response.body.fill('-'.charCodeAt(0), 0, 3);
  t.equal(fingerprintOf(asked, '/bowls'), before);
  t.not(fingerprintOf(asked, '/glaze'), before, 'without other names it is another text');
});

t.test('a body that was cut is the same as no other, since what follows is not known', async (t) => {
  const asked = async (size: number) => {
    const fetched = await visitSite({ '/': { body: 'x'.repeat(size) } }).fetch('/', { bodyBytesMax: 1000 });
    if ('failure' in fetched) throw new Error(fetched.failure);
    return { path: '/', response: fetched.response, fingerprint: 'the same' };
  };
  const [whole, cut] = [await asked(1000), await asked(1001)];
  t.same([isSameBody(whole, whole), isSameBody(whole, cut), isSameBody(cut, whole)], [true, false, false]);
});
