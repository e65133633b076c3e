import t from 'tap';
import { assertHard, parseNewPassword } from '../../../src/app/accounts/password.js';
import { createStrengthTest } from '../../../src/app/accounts/password-strength.js';
import { WORDS } from '../../support/passwords.js';

const OWN = ['ada.lovelace@example.com', 'Ada King'];
const isHard = createStrengthTest();

t.test('what goes together is refused, though no list has it', async (t) => {
  for (const password of ['abcdefgh12345678', 'monkeymonkeydragon', 'sunshine sunshine 1']) {
    t.equal(parseNewPassword(password, OWN), password, 'nothing else refuses it');
    await t.rejects(assertHard(password, OWN, isHard), {
      ...{ name: 'InputError', field: 'password' },
      message: /guessed early.*Use four or five random words/,
    });
  }
});

t.test('words that do not belong together will do, in any script', async (t) => {
  for (const password of [
    ...WORDS,
    'korrekt häst batteri',
    'тысяча пятнадцать',
    '839201748392047',
    'Passwort meiner Tante Inge',
  ]) {
    await t.resolves(assertHard(password, OWN, isHard), password);
  }
});

t.test('the beginning is judged, and nothing waits for it', async (t) => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  t.equal(await isHard('plum ladder seven oceans and more '.repeat(20), OWN), true);
  clearInterval(timer);
  t.ok(turns > 1, 'the loop went on');
});
