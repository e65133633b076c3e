import t from 'tap';
import { parseNewPassword } from '../../../src/app/accounts/new-password.js';
import { normalisePassword } from '../../../src/app/accounts/passwords.js';

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
  const refused: [password: string, message: RegExp][] = [
    ['', / 15 /],
    ['fourteen chars', / 15 /],
    ['😀🎉🚀🌊🍀🎲🎸', / 15 /],
    ['e\u0301'.repeat(10), / 15 /],
    ['long '.repeat(201), / 1000 /],
    ['Ada.Lovelace@Example.com', /e-mail/],
    ['aaaaaaaaaaaaaaa', /repeats/],
    ['                    ', /repeats/],
    ['Password123456789', /guessed first/],
    ['correct horse battery staple', /guessed first/],
    ['Correct-Horse-Battery-Staple-2026!', /guessed first/],
    ['The quick brown fox jumps over the lazy dog.', /guessed first/],
    ['P@$$w0rd20262026!', /guessed first/],
    ['!!!!!!Pässword!!!!!!', /guessed first/],
    ['pass word 1234567', /guessed first/],
    ['LETMEIN 2026-2027', /guessed first/],
    ['qwerty123456789', /guessed first/],
    ['123456789987654321', /guessed first/],
    ['Dragon 2026-11-28!', /guessed first/],
    ['q1w2e3r4t5y6u7i8', /guessed first/],
    ['1234567887654321', /guessed first/],
    ['passwordassword', /guessed first/],
    ['Password-Password1', /guessed first/],
    ['Shadow!!!!2026!!', /guessed first/],
    ['AgentReadiness2026', /e-mail/],
    ['agent readiness scan', /e-mail/],
    ['Ada King 1815-1852', /e-mail/],
    ['lovelace-ada-example', /e-mail/],
    ['Lovelace$Password1', /e-mail/],
    ['Ad4.L0v3l4ce.2026!', /e-mail/],
    ['PasswordAssword2024!', /guessed first/],
    ['passwordassword1', /guessed first/],
    ['qwertasdfgzxcvb1', /guessed first/],
    ['lytdybrbdfvgbhf1', /guessed first/],
    ['!ne_e_pod_chehyl!', /guessed first/],
    ['passwordpassword', /repeats/],
    ['secret12secret12s', /repeats/],
    ['passwordpassword1', /repeats/],
    ['1!iloveyouiloveyou', /repeats/],
    ['123456789012345', /keyboard/],
    ['Qwertyuiopasdfgh', /keyboard/],
    ['zyxwvutsrqponmlk', /keyboard/],
    ['1qaz2wsx3edc4rfv', /keyboard/],
  ];
  for (const [password, message] of refused) {
    t.throws(() => parseNewPassword(password, OWN), { name: 'InputError', field: 'password', message }, password);
  }
});

t.test('the same keys produce the same password on every keyboard', async (t) => {
  t.equal(normalisePassword('cafe\u0301\u00a0noir'), 'caf\u00e9 noir');
  t.not(normalisePassword('A²'), normalisePassword('a2'), 'case and compatible characters stay');
});
