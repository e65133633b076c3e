import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import t from 'tap';
import { createPasswords } from '../../../src/app/accounts/passwords.js';
import { Slots } from '../../../src/platform/slots.js';
import { cheapPasswords } from '../../support/sign-in.js';

t.test('a password is stored with its cost and a salt of its own', async (t) => {
  const passwords = cheapPasswords();
  const [first, second] = await Promise.all([passwords.hash('plum ladder'), passwords.hash('plum ladder')]);
  t.match(first, /^scrypt\$4\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  t.not(first, second);
  t.ok(await passwords.isRight('plum ladder', first));
  t.ok(await passwords.isRight('plum\u00a0ladder', first), 'compared in its normal form');
  t.notOk(await passwords.isRight('plum ladder ', first));
  t.notOk(await passwords.isRight('', first));
  await t.rejects(passwords.isRight('plum ladder', 'plum ladder'), { message: /not of the known form/ });
});

t.test('one of another cost is still compared, and told to be outdated', async (t) => {
  const older = await cheapPasswords({ logN: 3, r: 8, p: 1 }).hash('plum ladder');
  const passwords = cheapPasswords();
  t.ok(await passwords.isRight('plum ladder', older));
  t.ok(passwords.isOutdated(older));
  t.notOk(passwords.isOutdated(await passwords.hash('plum ladder')));
});

t.test('no password is right where none is stored', async (t) => {
  for (const password of ['', 'plum ladder']) t.notOk(await cheapPasswords().isRight(password, null));
});

t.test('the real cost is scrypt with 128 MiB, for a password of nobody too', async (t) => {
  const asked = t.capture(crypto, 'scrypt', crypto.scrypt);
  syncBuiltinESMExports();
  const passwords = createPasswords();
  const stored = await passwords.hash('plum ladder');
  t.match(stored, /^scrypt\$17\$8\$1\$/);
  t.ok(await passwords.isRight('plum ladder', stored));
  t.notOk(await passwords.isRight('plum ladder', null));
  const options = asked().map(({ args }) => args[3]);
  t.match(options, Array(3).fill({ N: 2 ** 17, r: 8, p: 1 }));
  t.equal(options.length, 3);
});

t.test('two at once, 20 wait, the rest are refused', async (t) => {
  const passwords = createPasswords({ cost: { logN: 10, r: 8, p: 1 } });
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => passwords.hash('plum ladder')));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  t.equal(refused.length, 8);
  for (const error of refused) t.match(error, { code: 'overloaded', retryAfterS: 5 });
});

t.test('a slot that comes free goes on to the next', async (t) => {
  const passwords = createPasswords({ cost: { logN: 4, r: 8, p: 1 }, slots: new Slots(1) });
  t.same((await Promise.all([passwords.hash('a'), passwords.hash('b')])).length, 2);
});
