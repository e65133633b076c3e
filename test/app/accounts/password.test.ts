import t from 'tap';
import { normalisePassword, parseNewPassword } from '../../../src/app/accounts/passwords.js';

const OWN = ['ada.lovelace@example.com', 'Ada King'];

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
    [/repeats/, ['aaaaaaaaaaaaaaa', ' '.repeat(20), ...'passwordpassword secret12secret12s'.split(' ')]],
    [/repeats/, 'passwordpassword1 1!iloveyouiloveyou'.split(' ')],
    [/keyboard/, '123456789012345 Qwertyuiopasdfgh zyxwvutsrqponmlk 1qaz2wsx3edc4rfv'.split(' ')],
    // Words of the account, and of this service.
    [/e-mail/, 'Ada.Lovelace@Example.com lovelace-ada-example Lovelace$Password1 Ad4.L0v3l4ce.2026!'.split(' ')],
    [/e-mail/, ['Ada King 1815-1852', 'AgentReadiness2026', 'agent readiness scan']],
    // Common passwords and phrases, with other characters in and around them.
    [/guessed first/, 'Password123456789 P@$$w0rd20262026! !!!!!!Pässword!!!!!! qwerty123456789'.split(' ')],
    [/guessed first/, 'Password-Password1 PasswordAssword2024! Shadow!!!!2026!! 123456789987654321'.split(' ')],
    [/guessed first/, ['pass word 1234567', 'LETMEIN 2026-2027', 'Dragon 2026-11-28!', 'correct horse battery staple']],
    [/guessed first/, ['Correct-Horse-Battery-Staple-2026!', 'The quick brown fox jumps over the lazy dog.']],
    // From leaks.
    [/guessed first/, 'q1w2e3r4t5y6u7i8 1234567887654321 passwordassword passwordassword1 qwertasdfgzxcvb1'.split(' ')],
    [/guessed first/, 'lytdybrbdfvgbhf1 !ne_e_pod_chehyl!'.split(' ')],
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
