import { Option } from 'commander';
import { type Role, ROLES } from '../platform/lifecycle.js';
import type { AddCommand } from './command.js';

export interface ServeCommandOptions {
  readonly role: Role;
  readonly isDemo: boolean;
  /** File with the API key of the demo, for restarts. */
  readonly keyFile?: string | undefined;
}

/** `serve`: starts the service; ends on a stop signal. */
export function addServeCommand(serve: (options: ServeCommandOptions) => Promise<void>): AddCommand {
  return (program, act) => {
    program
      .command('serve')
      .description('start the service; run migrate first')
      .option('--demo', 'on the first start, also create a demo account, two sites, a key and runs')
      .addOption(new Option('--key-file <file>').hideHelp())
      .addOption(
        new Option('--role <role>', 'answer requests (api), perform queued work (worker), or both: on PostgreSQL')
          .choices(ROLES)
          .default('all'),
      )
      .action(({ demo, role, keyFile }: { demo?: true; role: Role; keyFile?: string }) =>
        act(() => serve({ role, isDemo: demo === true, keyFile })),
      );
  };
}
