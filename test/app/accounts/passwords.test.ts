import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import t from 'tap';
import { createPasswords, hashNewPassword } from '../../../src/app/accounts/passwords.js';
import { cheapPasswords } from '../../support/accounts.js';

const PARTY = '192.0.2.0/24';
const CHEAP = { logN: 10, r: 8, p: 1 };

t.test('a password is stored with its cost and its own salt', async (t) => {
  const passwords = cheapPasswords();
  const [first, second] = await Promise.all([
    passwords.hash('plum ladder', PARTY),
    passwords.hash('plum ladder', PARTY),
  ]);
  t.match(first, /^scrypt\$4\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  t.not(first, second);
  t.ok(await passwords.matches('plum ladder', first, PARTY));
  t.ok(await passwords.matches('plum\u00a0ladder', first, PARTY), 'compared in its normal form');
  t.notOk(await passwords.matches('plum ladder ', first, PARTY));
  t.notOk(await passwords.matches('', first, PARTY));
  await t.rejects(passwords.matches('plum ladder', 'plum ladder', PARTY), { message: /form/ });
  const older = await cheapPasswords({ logN: 3, r: 8, p: 1 }).hash('plum ladder', PARTY);
  t.ok(await passwords.matches('plum ladder', older, PARTY), 'at the stored cost');
});

t.test('without a stored password, every password is wrong', async (t) => {
  for (const password of ['', 'plum ladder']) t.notOk(await cheapPasswords().matches(password, null, PARTY));
});

t.test('the real cost is scrypt with 128 MiB, also without an account', async (t) => {
  const asked = t.capture(crypto, 'scrypt', crypto.scrypt);
  syncBuiltinESMExports();
  const passwords = createPasswords();
  const stored = await passwords.hash('plum ladder', PARTY);
  t.match(stored, /^scrypt\$17\$8\$1\$/);
  t.ok(await passwords.matches('plum ladder', stored, PARTY));
  t.notOk(await passwords.matches('plum ladder', null, PARTY));
  const options = asked().map(({ args }) => args[3]);
  t.match(options, Array(3).fill({ N: 2 ** 17, r: 8, p: 1 }));
  t.equal(options.length, 3);
});

t.test('two run, 20 wait, and the rest are refused', async (t) => {
  const passwords = createPasswords({ cost: CHEAP });
  const hashes = Array.from({ length: 30 }, (_, index) => passwords.hash('plum ladder', `network ${index}`));
  const results = await Promise.allSettled(hashes);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  t.equal(refused.length, 8);
  for (const error of refused) t.match(error, { code: 'overloaded', retryAfterS: 5 });
});

t.test('floods from one or many networks leave slots to others', async (t) => {
  const passwords = createPasswords({ cost: CHEAP });
  const flood = (networkOf: (index: number) => string) => {
    const hashes = Array.from({ length: 200 }, (_, index) => passwords.hash('plum ladder', networkOf(index)));
    return Promise.allSettled(hashes);
  };
  const one = flood(() => PARTY);
  await t.resolves(passwords.hash('plum ladder', 'another network'));
  await one;
  for (const owner of ['account', 'known network']) passwords.prefer(owner);
  const many = flood((index) => `network ${index}`);
  await t.rejects(passwords.hash('plum ladder', 'another network'), { code: 'overloaded' });
  await t.resolves(passwords.hash('plum ladder', 'known network'));
  const owner = { email: 'ada@example.com', name: 'Ada' };
  await t.resolves(
    hashNewPassword(passwords, 'plum ladder orbit canvas', owner),
    'choosing a new password gets priority',
  );
  const ended = (await many).filter(({ status }) => status === 'fulfilled').length;
  t.ok(ended >= 21, `${ended} of the flood are hashed, too`);
});
