import type { Account } from '../../app/accounts/accounts.js';
import type { Plan } from '../../app/accounts/plan.js';
import { FREQUENCIES, frequenciesOf, type Frequency, setSchedules } from '../../app/automation/schedules.js';
import type { BulkOutcome } from '../../app/sites/bulk-change.js';
import { changeTags, parseTag, removeTag, addTags } from '../../app/sites/site-settings.js';
import { InputError } from '../../platform/errors.js';
import type { RouteDeps } from '../server/page.js';

interface BulkRequest {
  readonly account: Account;
  readonly siteIds: readonly string[];
  readonly tag: string;
}

interface BulkAction {
  /** Name of the choice and the outcome: `Run every day`. */
  readonly label: string;
  /** Title of the confirmation: `Run 4 sites every day`. */
  readonly describe: (sites: string, tag: string) => string;
  /** True if it needs a tag. */
  readonly hasTag?: boolean;
  readonly isRemoval?: boolean;
  /** What the result says about changed sites; by default `done`. */
  readonly outcome?: string;
  /** @throws InputError if no site can be changed */
  readonly perform: (request: BulkRequest, deps: RouteDeps) => Promise<BulkOutcome>;
}

function scheduleAction(frequency: Frequency | null): BulkAction {
  const rhythm = frequency === null ? '' : FREQUENCIES[frequency].label;
  return {
    label: frequency === null ? 'Turn the schedule off' : `Run ${rhythm}`,
    describe: (sites) => (frequency === null ? `Turn the schedule of ${sites} off` : `Run ${sites} ${rhythm}`),
    perform: ({ account: { id: accountId }, siteIds }, deps) => setSchedules(deps, { accountId, siteIds }, frequency),
  };
}

const ACTIONS: Readonly<Record<string, BulkAction>> = {
  verify: {
    label: 'Verify',
    describe: (sites) => `Verify ${sites}`,
    perform: ({ account: { id: accountId }, siteIds }, { ownership }) => ownership.verifyMany({ accountId, siteIds }),
  },
  run: {
    label: 'Run now',
    outcome: 'started',
    describe: (sites) => `Run ${sites} now`,
    perform: ({ account, siteIds }, { manualRuns }) => manualRuns.startMany(account.id, siteIds),
  },
  'schedule-weekly': scheduleAction('WEEKLY'),
  'schedule-daily': scheduleAction('DAILY'),
  'schedule-hourly': scheduleAction('HOURLY'),
  'schedule-off': scheduleAction(null),
  'tag-add': {
    label: 'Add the tag',
    describe: (sites, tag) => `Add the tag “${tag}” to ${sites}`,
    hasTag: true,
    perform: ({ account, siteIds, tag }, deps) => changeTags(deps, account.id, siteIds, (tags) => addTags(tags, [tag])),
  },
  'tag-remove': {
    label: 'Remove the tag',
    describe: (sites, tag) => `Remove the tag “${tag}” from ${sites}`,
    hasTag: true,
    perform: ({ account, siteIds, tag }, deps) => changeTags(deps, account.id, siteIds, (tags) => removeTag(tags, tag)),
  },
  remove: {
    label: 'Remove',
    describe: (sites) => `Remove ${sites}`,
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

/** @throws InputError for an unknown choice or an invalid tag */
export function chosenAction(choice: string, tagText: string): ChosenAction {
  const action = Object.hasOwn(ACTIONS, choice) ? ACTIONS[choice] : undefined;
  if (action === undefined) throw new InputError('Choose what to do with the sites.');
  if (!action.hasTag) return { ...action, tag: '' };
  const tag = parseTag(tagText);
  return { ...action, label: `${action.label} “${tag}”`, tag };
}
