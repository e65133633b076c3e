import { InputError } from '../../platform/input-error.js';
import type { Account } from '../../app/accounts/accounts.js';
import type { Plan } from '../../app/accounts/plan.js';
import { FREQUENCIES, frequenciesOf, type Frequency } from '../../app/automation/schedule.js';
import type { PartDeps } from '../server/page-part.js';
import type { BulkOutcome } from '../../app/sites/bulk-change.js';
import { changeTags, parseTag, withoutTag, withTags } from '../../app/sites/tags.js';

/** Something that is done to many sites of an account at once. */
export interface BulkAction {
  /** What the confirmation asks for, and its button says: `Run every day`. */
  readonly label: string;
  /** Heading of the sites that were changed: `Scheduled every day`. */
  readonly done: string;
  /** Heading of the sites that needed no change. */
  readonly unchanged: string;
  /** What happens next. */
  readonly next?: string;
  /** Set if the sites are removed. */
  readonly isRemoval?: true;
  /** @throws InputError for what cannot be done to any site */
  perform(account: Account, siteIds: readonly string[], deps: PartDeps): Promise<BulkOutcome>;
}

const SCHEDULES: Readonly<Record<string, Frequency | null>> = {
  'schedule-off': null,
  'schedule-weekly': 'WEEKLY',
  'schedule-daily': 'DAILY',
  'schedule-hourly': 'HOURLY',
};

/** The actions that the list offers, by the value of the choice. */
export function bulkChoices(plan: Plan): readonly (readonly [value: string, label: string])[] {
  const frequencies = frequenciesOf(plan);
  const schedules = Object.entries(SCHEDULES).filter(
    ([, frequency]) => frequency === null || frequencies.includes(frequency),
  );
  return [
    ['run', 'Run now'],
    ...schedules.map(([value, frequency]) => [value, scheduleLabel(frequency)] as const),
    ['verify', 'Check ownership'],
    ['tag-add', 'Add the tag'],
    ['tag-remove', 'Remove the tag'],
    ['remove', 'Remove…'],
  ];
}

/** @throws InputError for an unknown choice, or a text that is not a tag */
export function bulkAction(choice: string, tagText: string): BulkAction {
  const frequency = Object.hasOwn(SCHEDULES, choice) ? SCHEDULES[choice] : undefined;
  if (frequency !== undefined) return scheduleAction(frequency);
  switch (choice) {
    case 'run':
      return {
        label: 'Run now',
        done: 'Run started',
        unchanged: 'Running already',
        perform: ({ id }, siteIds, { manualRuns }) => manualRuns.startMany(id, siteIds),
      };
    case 'verify':
      return {
        label: 'Check ownership',
        done: 'Verified',
        unchanged: 'Already verified',
        perform: ({ id: accountId, plan }, siteIds, { ownership }) =>
          ownership.verifyMany({ accountId, plan, siteIds }),
      };
    case 'tag-add': {
      const tag = parseTag(tagText);
      return {
        label: `Add the tag “${tag}”`,
        done: `Tagged “${tag}”`,
        unchanged: 'Already tagged',
        perform: ({ id }, siteIds, deps) => changeTags(deps, id, siteIds, (tags) => withTags(tags, [tag])),
      };
    }
    case 'tag-remove': {
      const tag = parseTag(tagText);
      return {
        label: `Remove the tag “${tag}”`,
        done: `No longer tagged “${tag}”`,
        unchanged: 'Not tagged',
        perform: ({ id }, siteIds, deps) => changeTags(deps, id, siteIds, (tags) => withoutTag(tags, tag)),
      };
    }
    case 'remove':
      return {
        label: 'Remove',
        done: 'Removed',
        unchanged: 'Already removed',
        isRemoval: true,
        perform: ({ id }, siteIds, { siteRemoval }) => siteRemoval.removeMany(id, siteIds),
      };
    default:
      throw new InputError('Choose what to do with the sites.');
  }
}

function scheduleLabel(frequency: Frequency | null): string {
  return frequency === null ? 'No schedule' : `Run ${FREQUENCIES[frequency].label}`;
}

function scheduleAction(frequency: Frequency | null): BulkAction {
  return {
    label: scheduleLabel(frequency),
    done: frequency === null ? 'Schedule turned off' : `Scheduled ${FREQUENCIES[frequency].label}`,
    unchanged: 'Unchanged',
    ...(frequency !== null && { next: 'A site that is not verified runs once it is.' }),
    perform: ({ id: accountId, plan }, siteIds, { schedules }) =>
      schedules.setMany({ accountId, plan, siteIds }, frequency),
  };
}
