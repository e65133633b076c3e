import type { Account } from '../../app/accounts/accounts.js';
import type { Plan } from '../../app/accounts/plan.js';
import { FREQUENCIES, frequenciesOf, type Frequency } from '../../app/automation/schedule.js';
import { setSchedules } from '../../app/automation/schedules.js';
import type { BulkOutcome } from '../../app/sites/bulk-change.js';
import { changeTags, parseTag, withoutTag, withTags } from '../../app/sites/tags.js';
import { InputError } from '../../platform/input-error.js';
import type { RouteDeps } from '../server/page.js';

interface Asked {
  readonly account: Account;
  readonly siteIds: readonly string[];
  readonly tag: string;
}

/** Something that is done to many sites of an account at once. */
interface BulkAction {
  /** What the choice, the confirmation and the outcome say: `Run every day`. */
  readonly label: string;
  /** True if it takes a tag, which its label then names. */
  readonly hasTag?: boolean;
  readonly isRemoval?: boolean;
  /** True if it leaves out sites that are not verified. */
  readonly needsProof?: boolean;
  /** @throws InputError for what cannot be done to any site */
  readonly perform: (asked: Asked, deps: RouteDeps) => Promise<BulkOutcome>;
}

function scheduleAction(frequency: Frequency | null): BulkAction {
  return {
    label: frequency === null ? 'Turn the schedule off' : `Run ${FREQUENCIES[frequency].label}`,
    perform: ({ account: { id: accountId }, siteIds }, deps) => setSchedules(deps, { accountId, siteIds }, frequency),
  };
}

const ACTIONS: Readonly<Record<string, BulkAction>> = {
  verify: {
    label: 'Verify',
    perform: ({ account: { id: accountId }, siteIds }, { ownership }) => ownership.verifyMany({ accountId, siteIds }),
  },
  run: {
    label: 'Run now',
    needsProof: true,
    perform: ({ account, siteIds }, { manualRuns }) => manualRuns.startMany(account.id, siteIds),
  },
  'schedule-weekly': scheduleAction('WEEKLY'),
  'schedule-daily': scheduleAction('DAILY'),
  'schedule-hourly': scheduleAction('HOURLY'),
  'schedule-off': scheduleAction(null),
  'tag-add': {
    label: 'Add the tag',
    hasTag: true,
    perform: ({ account, siteIds, tag }, deps) =>
      changeTags(deps, account.id, siteIds, (tags) => withTags(tags, [tag])),
  },
  'tag-remove': {
    label: 'Remove the tag',
    hasTag: true,
    perform: ({ account, siteIds, tag }, deps) =>
      changeTags(deps, account.id, siteIds, (tags) => withoutTag(tags, tag)),
  },
  remove: {
    label: 'Remove',
    isRemoval: true,
    perform: ({ account, siteIds }, { siteRemoval }) => siteRemoval.removeMany(account.id, siteIds),
  },
};

/** Returns the actions that a plan offers: value and label. */
export function actionsFor(plan: Plan): readonly (readonly [value: string, label: string])[] {
  const offered = ['OFF', ...frequenciesOf(plan)].map((frequency) => `schedule-${frequency.toLowerCase()}`);
  return Object.entries(ACTIONS)
    .filter(([value]) => !value.startsWith('schedule-') || offered.includes(value))
    .map(([value, { label, isRemoval }]) => [value, isRemoval ? `${label} the sites` : label]);
}

/** An action with the tag that was typed for it. */
export interface ChosenAction extends BulkAction {
  readonly tag: string;
}

/** @throws InputError for an unknown choice, or a text that is not a tag */
export function chosenAction(choice: string, tagText: string): ChosenAction {
  const action = Object.hasOwn(ACTIONS, choice) ? ACTIONS[choice] : undefined;
  if (action === undefined) throw new InputError('Choose what to do with the sites.');
  if (!action.hasTag) return { ...action, tag: '' };
  const tag = parseTag(tagText);
  return { ...action, label: `${action.label} “${tag}”`, tag };
}
