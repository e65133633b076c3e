import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import t from 'tap';
import {
  createPasswords,
  hashNewPassword,
  normalisePassword,
  parseNewPassword,
} from '../../../src/app/accounts/passwords.js';
import { cheapPasswords } from '../../support/accounts.js';

const OWN = ['ada.lovelace@example.com', 'Ada King'];
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
  for (const password of ['', 'plum ladder']) t.notOk(await passwords.matches(password, null, PARTY), 'none is stored');
  await t.rejects(passwords.matches('plum ladder', 'plum ladder', PARTY), { message: /form/ });
  const older = await cheapPasswords({ logN: 3, r: 8, p: 1 }).hash('plum ladder', PARTY);
  t.ok(await passwords.matches('plum ladder', older, PARTY), 'at the stored cost');
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

t.test('a password is any 15 to 1000 characters', async (t) => {
  const good = [
    'plum ladder seven oceans',
    'korrekt häst batteri',
    '   spaces count   ',
    'тысяча пятнадцать',
    'Password of my grandmother',
    'adamant kingfisher 7',
    '839201748392047',
    '2026-11-22 14:30',
    "}cTS'D+q}suL\\Gw",
    'J53Vnu,rwG_7)>~4',
    '424dbd0abedce26',
    '😀🎉🚀🌊🍀🎲🎸🐙🦊🌵🍉🧩🪁🛶🔭',
    '\tcontrol\u0000characters\n too',
    [...Array(1000).keys()].map((code) => String.fromCodePoint(0x4e00 + code)).join(''),
  ];
  for (const password of good) t.equal(parseNewPassword(password, OWN), password.normalize('NFC'));
});

t.test('short, long, known and easily guessed passwords are refused with the reason', async (t) => {
  const refused: readonly [message: RegExp, passwords: readonly string[]][] = [
    [/ 15 /, ['', 'fourteen chars', '😀🎉🚀🌊🍀🎲🎸', 'e\u0301'.repeat(10)]],
    [/ 1000 /, ['long '.repeat(201)]],
    [/try this password first/, 'aaaaaaaaaaaaaaa passwordpassword passwordpassword1 1!iloveyouiloveyou'.split(' ')],
    [/try this password first/, '123456789012345 Qwertyuiopasdfgh 1qaz2wsx3edc4rfv'.split(' ')],
    // Sequences and repetitions of any length.
    [/try this password first/, '1111111111111111 12345678901234567890 abcdefghijklmnopqrstuvwxyz'.split(' ')],
    [
      /try this password first/,
      ['P@ssw0rdP@ssw0rd', 'testtesttesttest1', 'ab'.repeat(8), ' '.repeat(15), '.'.repeat(16)],
    ],
    // Words of the account, and of this service.
    [/e-mail/, 'Ada.Lovelace@Example.com lovelace-ada-example Lovelace$Password1'.split(' ')],
    [/e-mail/, ['Ada King 1815-1852', 'AgentReadiness2026', 'agent readiness scan']],
    // Common passwords and phrases, with other characters in and around them.
    [/try this password first/, 'Password123456789 !!!!!!Pässword!!!!!! qwerty123456789'.split(' ')],
    [/try this password first/, 'Password-Password1 PasswordAssword2024! 123456789987654321'.split(' ')],
    [
      /try this password first/,
      ['pass word 1234567', 'LETMEIN 2026-2027', 'Dragon 2026-11-28!', 'correct horse battery staple'],
    ],
    [/try this password first/, ['Correct-Horse-Battery-Staple-2026!', 'The quick brown fox jumps over the lazy dog.']],
    // From leaks.
    [/try this password first/, 'q1w2e3r4t5y6u7i8 1234567887654321 passwordassword passwordassword1'.split(' ')],
    [/try this password first/, 'lytdybrbdfvgbhf1 !ne_e_pod_chehyl! let.me.in-2026-2027'.split(' ')],
  ];
  for (const [message, passwords] of refused) {
    for (const password of passwords) {
      const refusal = { name: 'InputError', field: 'password', message };
      t.throws(() => parseNewPassword(password, OWN), refusal, password);
    }
  }
});

t.test('the same keys produce the same password on every keyboard', async (t) => {
  t.equal(normalisePassword('cafe\u0301\u00a0noir'), 'caf\u00e9 noir');
  t.not(normalisePassword('A²'), normalisePassword('a2'), 'case and compatible characters stay');
});
