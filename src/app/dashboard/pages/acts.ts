import { InputError } from '../../../platform/input-error.js';
import type { Account } from '../../accounts/accounts.js';
import type { Plan } from '../../accounts/plan.js';
import { assertMail } from '../../alerts/mail-choices.js';
import { FREQUENCIES, type Frequency, frequenciesOf } from '../../automation/schedule.js';
import type { PartDeps } from '../../part.js';
import type { ManyOutcome } from '../../sites/many.js';
import type { Link } from '../../../web/kit/layout.js';
import { PROOFS_ADDRESS } from './sites-view.js';

/** What is done to many sites, and with what. */
interface Asked {
  readonly account: Account;
  readonly siteIds: readonly string[];
  /** What was typed for a tag. */
  readonly tag: string;
}

export interface ActWords {
  /** What became of a site: `Runs every day`. */
  readonly done: string;
  /** What was so before. */
  readonly same: string;
  /** What comes next. */
  readonly after?: string;
  /** The same where one of them is not verified. */
  readonly unverified?: string;
  /** What helps with those that were left out. */
  readonly way?: Link;
}

export interface Act {
  /** As the list offers it. */
  readonly label: string;
  readonly needsTag?: true;
  /** @param tag as it was typed */
  readonly words: (tag: string) => ActWords;
  /** @throws InputError for what is asked of all of them and cannot be done */
  readonly perform: (asked: Asked, deps: PartDeps) => Promise<ManyOutcome>;
}

const BY_FREQUENCY: Readonly<Record<Frequency | 'OFF', string>> = {
  OFF: 'No schedule',
  WEEKLY: 'Run every week',
  DAILY: 'Run every day',
  HOURLY: 'Run every hour',
};

const SCHEDULE = 'schedule-';

function scheduleAct(choice: Frequency | 'OFF'): Act {
  const frequency = choice === 'OFF' ? null : choice;
  const done = frequency === null ? 'Schedule turned off' : `Scheduled ${FREQUENCIES[frequency].label}`;
  return {
    label: BY_FREQUENCY[choice],
    words: () => ({
      done,
      same: 'As before',
      ...(frequency !== null && { unverified: 'A site that is not verified runs once it is.' }),
    }),
    perform: ({ account, siteIds }, { schedules }) =>
      schedules.setMany({ accountId: account.id, plan: account.plan, siteIds }, frequency),
  };
}

const SCHEDULES = Object.fromEntries(
  (Object.keys(BY_FREQUENCY) as (Frequency | 'OFF')[]).map((choice) => [
    SCHEDULE + choice.toLowerCase(),
    scheduleAct(choice),
  ]),
);

function mailAct(isOn: boolean): Act {
  return {
    label: `Alerts by e-mail ${isOn ? 'on' : 'off'}`,
    words: () => ({
      done: `Alerts by e-mail turned ${isOn ? 'on' : 'off'}`,
      same: 'As before',
      after: isOn
        ? 'They are sent where alerts by e-mail are on under Alerts.'
        : 'What tells of a missing proof of ownership is still sent.',
    }),
    async perform({ account, siteIds }, { siteMail, webhooks }) {
      assertMail(webhooks.hasMail);
      return siteMail.turn(account.id, siteIds, isOn);
    },
  };
}

const OTHERS: Readonly<Record<string, Act>> = {
  check: {
    label: 'Check ownership now',
    words: () => ({
      done: 'Verified',
      same: 'Verified before',
      way: [`${PROOFS_ADDRESS}?show=unverified`, 'What to publish, as CSV'],
    }),
    perform: ({ account, siteIds }, { ownershipOfMany }) =>
      ownershipOfMany.verify({ accountId: account.id, plan: account.plan, siteIds }),
  },
  'mail-on': mailAct(true),
  'mail-off': mailAct(false),
  'tag-add': {
    label: 'Add the tag',
    needsTag: true,
    words: (tag) => ({ done: `Tagged “${tag.trim()}”`, same: 'Had it already' }),
    perform: ({ account, siteIds, tag }, { siteTags }) => siteTags.add(account.id, siteIds, tag),
  },
  'tag-remove': {
    label: 'Remove the tag',
    needsTag: true,
    words: (tag) => ({ done: `No longer tagged “${tag.trim()}”`, same: 'Did not have it' }),
    perform: ({ account, siteIds, tag }, { siteTags }) => siteTags.remove(account.id, siteIds, tag),
  },
};

const ACTS: Readonly<Record<string, Act>> = { ...SCHEDULES, ...OTHERS };

/** Is confirmed first: see remove-selected.tsx. */
export const REMOVE = 'remove';

/** Those that are offered: value and label. */
export function actsFor(plan: Plan, hasMail: boolean): readonly (readonly [value: string, label: string])[] {
  const frequencies: readonly string[] = ['OFF', ...frequenciesOf(plan)];
  const acts = Object.entries(ACTS)
    .filter(([value]) => hasMail || !value.startsWith('mail-'))
    .filter(
      ([value]) => !value.startsWith(SCHEDULE) || frequencies.includes(value.slice(SCHEDULE.length).toUpperCase()),
    )
    .map(([value, { label }]) => [value, label] as const);
  return [...acts, [REMOVE, 'Remove…']];
}

/** @throws InputError for none of them */
export function actOf(value: string): Act {
  const act = Object.hasOwn(ACTS, value) ? ACTS[value] : undefined;
  if (act === undefined) throw new InputError('Choose what to do with the sites.');
  return act;
}
