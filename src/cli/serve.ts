import { Option } from 'commander';
import { type Role, ROLES } from '../platform/role.js';
import type { AddCommand } from './command.js';

export interface ServeCommandOptions {
  readonly role: Role;
  readonly isDemo: boolean;
}

/** `serve`: starts the service; ends when the process is told to. */
export function addServeCommand(serve: (options: ServeCommandOptions) => Promise<void>): AddCommand {
  return (program, act) => {
    program
      .command('serve')
      .description('start the service; the database must be migrated before')
      .option('--demo', 'on the first start, also create a demo account, site, key and run')
      .addOption(
        new Option('--role <role>', 'answer requests (api), perform queued work (worker), or both: on PostgreSQL')
          .choices(ROLES)
          .default('all'),
      )
      .action(({ demo, role }: { demo?: true; role: Role }) => act(() => serve({ role, isDemo: demo === true })));
  };
}
