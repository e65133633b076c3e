import t from 'tap';
import { normalisePassword, parseNewPassword } from '../../../src/app/accounts/password.js';

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
    '😀🎉🚀🌊🍀🎲🎸🐙🦊🌵🍉🧩🪁🛶🔭',
    '\tcontrol\u0000characters\n too',
    [...Array(1000).keys()].map((code) => String.fromCodePoint(0x4e00 + code)).join(''),
  ];
  for (const password of good) t.equal(parseNewPassword(password, OWN), password.normalize('NFC'));
});

t.test('what is short, long, known or guessed first is refused with the reason', async (t) => {
  const refused: [password: string, message: RegExp][] = [
    ['', /at least 15/],
    ['fourteen chars', /at least 15/],
    ['😀🎉🚀🌊🍀🎲🎸', /at least 15/],
    ['e\u0301'.repeat(10), /at least 15/],
    ['long '.repeat(201), /at most 1000/],
    ['Ada.Lovelace@Example.com', /e-mail address/],
    ['aaaaaaaaaaaaaaa', /again and again/],
    ['                    ', /again and again/],
    ['Password123456789', /guessed first.*Use four or five random words/],
    ['correct horse battery staple', /guessed first/],
    ['Correct-Horse-Battery-Staple-2026!', /guessed first/],
    ['The quick brown fox jumps over the lazy dog.', /guessed first/],
    ['P@$$w0rd20262026!', /guessed first/],
    ['!!!!!!Pässword!!!!!!', /guessed first/],
    ['pass word 1234567', /guessed first/],
    ['LETMEIN 2026-2027', /guessed first/],
    ['qwerty123456789', /guessed first/],
    ['123456789987654321', /guessed first/],
    ['AgentReadiness2026', /name of this service/],
    ['agent readiness scan', /name of this service/],
    ['Ada King 1815-1852', /your name/],
    ['lovelace-ada-example', /e-mail address/],
    ['Lovelace$Password1', /your name/],
    ['Ad4.L0v3l4ce.2026!', /your name/],
    ['passwordpassword', /again and again/],
    ['secret12secret12s', /again and again/],
    ['123456789012345', /row of keys/],
    ['Qwertyuiopasdfgh', /row of keys/],
    ['zyxwvutsrqponmlk', /row of keys/],
    ['1qaz2wsx3edc4rfv', /row of keys/],
  ];
  for (const [password, message] of refused) {
    t.throws(() => parseNewPassword(password, OWN), { name: 'InputError', field: 'password', message }, password);
  }
});

t.test('the same keys give the same password on every keyboard', async (t) => {
  t.equal(normalisePassword('cafe\u0301\u00a0noir'), 'caf\u00e9 noir');
  t.not(normalisePassword('A²'), normalisePassword('a2'), 'case and compatible characters stay');
});
