import type { Command } from 'commander';
import { InputError } from '../platform/input-error.js';
import { FREQUENCIES, type Frequency } from '../app/automation/schedule.js';
import type { Schedule } from '../app/automation/schedules.js';
import type { Act, Output } from './command.js';
import { type WithAdminServices, formatValue, JSON_OPTION } from './admin.js';

/** The command line's names for the frequencies. */
const CHOICES: ReadonlyMap<string, Frequency | null> = new Map([
  ['off', null],
  ...(Object.keys(FREQUENCIES) as Frequency[]).map((frequency) => [frequency.toLowerCase(), frequency] as const),
]);

/** `site schedule <siteId> off|weekly|daily|hourly` */
export function addSchedule(site: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  const words = [...CHOICES.keys()];
  site
    .command('schedule')
    .description('set how often a site is scanned automatically, within the limits of its plan')
    .argument('<siteId>', 'the site: site_ and 20 characters')
    .argument('<frequency>', words.join(', '))
    .option(...JSON_OPTION)
    .action((siteId: string, word: string, { json }: { json?: true }) =>
      act(async () => {
        const frequency = CHOICES.get(word);
        if (frequency === undefined) throw new InputError(`The frequency is one of: ${words.join(', ')}.`);
        const { site, schedule } = await withAdmin(async ({ sites, schedules }) => {
          const { accountId } = await sites.get(siteId);
          const site = await sites.getOwn({ accountId, siteId });
          return { site, schedule: await schedules.set(site, frequency) };
        });
        const text = [`Site ${site.id} (${site.hostname}) ${describe(schedule)}`];
        if (site.verifiedAt === null) text.push('Its ownership is not verified yet: it runs once it is.');
        output.data(formatValue({ id: site.id, hostname: site.hostname, ...schedule }, json, text));
      }),
    );
}

function describe({ effective, nextRunAt }: Schedule): string {
  if (effective === null || nextRunAt === null) return 'has no schedule.';
  return `runs ${FREQUENCIES[effective].label}, next at ${nextRunAt}.`;
}
