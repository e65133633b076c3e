import { actAs, holderAt } from '../../../src/app/audit/actor.js';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { createStrengthTest } from '../../../src/app/accounts/password-strength.js';
import { createSignIn } from '../../../src/app/accounts/sign-in.js';
import { bringForward } from '../../../src/app/automation/bring-forward.js';
import { TooSoonError } from '../../../src/platform/input-error.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { OTHER_PASSWORD } from '../../support/passwords.js';
import { addPerson, cheapPasswords, GOOD_PASSWORD } from '../../support/sign-in.js';

const WEAK = { name: 'InputError', field: 'password' };
const TOO_MANY = { name: 'TooSoonError', message: /too many new passwords to judge\. Try again in 15 minutes/ };

/** Sign-in whose judge refuses every password until the test says otherwise, and notes for whom it was asked. */
async function prepare(db: Database) {
  const clock = new TestClock();
  const judge = { isPleased: false, parties: [] as (string | null | undefined)[] };
  const signIn = createSignIn({
    ...{ db, clock, passwords: cheapPasswords() },
    isHard: async (_password, _ownWords, party) => {
      judge.parties.push(party);
      return judge.isPleased;
    },
  });
  const person = await addPerson(db, clock);
  const accounts = createAccounts({ db, clock, onPlanChanged: bringForward });
  const newLink = async () => (await accounts.createSignInLink(person.account.id)).token;
  const use = (token: string, address = '192.0.2.1') =>
    actAs(holderAt(address), () => signIn.useLink({ token, password: OTHER_PASSWORD }));
  return { ...person, clock, judge, signIn, newLink, use };
}

onEachDatabase(async (t, engine) => {
  t.test(
    '10 passwords by a link are judged in 15 minutes, also at once, and those refused at a glance are none',
    async (t) => {
      const { clock, judge, signIn, newLink, use } = await prepare(await engine.openDb(t));
      const token = await newLink();
      for (let count = 0; count < 20; count += 1) await t.rejects(signIn.useLink({ token, password: 'short' }), WEAK);
      t.same(judge.parties, []);
      const tries = await Promise.allSettled(Array.from({ length: 30 }, () => use(token)));
      t.equal(tries.filter((one) => one.status === 'rejected' && one.reason instanceof TooSoonError).length, 20);
      t.equal(judge.parties.length, 10);
      judge.isPleased = true;
      await t.rejects(use(token, '198.51.100.1'), TOO_MANY, 'from wherever');
      clock.set('2026-03-15T12:15:00.000Z');
      await t.resolves(use(token), 'nobody is kept out for good');
    },
  );

  t.test('an address has 50 judged, by whatever links; its network is who they are judged for', async (t) => {
    const { judge, newLink, use } = await prepare(await engine.openDb(t));
    for (let link = 0; link < 5; link += 1) {
      const token = await newLink();
      for (let count = 0; count < 10; count += 1) await t.rejects(use(token), WEAK);
    }
    const token = await newLink();
    await t.rejects(use(token), TOO_MANY);
    await t.rejects(use(token, '198.51.100.1'), WEAK, 'others go on');
    t.same([...new Set(judge.parties)], ['192.0.2.0/24', '198.51.100.0/24']);
  });

  t.test('who is signed in has 10 judged, too', async (t) => {
    const { account, judge, signIn } = await prepare(await engine.openDb(t));
    const change = () =>
      signIn.changePassword({ accountId: account.id, current: GOOD_PASSWORD, password: OTHER_PASSWORD });
    for (let count = 0; count < 10; count += 1) await t.rejects(change(), WEAK);
    await t.rejects(change(), TOO_MANY);
    t.equal(judge.parties.length, 10);
  });

  t.test('the time of the judge is shared between those for whom it judges', async (t) => {
    const parties: (string | null | undefined)[] = [];
    class HeardSlots extends Slots {
      override run<T>(work: () => Promise<T>, party?: string | null): Promise<T> {
        parties.push(party);
        return super.run(work, party);
      }
    }
    await createStrengthTest(new HeardSlots(1))(OTHER_PASSWORD, [], '192.0.2.0/24');
    t.same(parties, ['192.0.2.0/24']);
  });
});
