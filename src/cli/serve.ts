import type { AddCommand } from './command.js';

/** `serve`: starts the service; ends when the process is told to. */
export function addServeCommand(serve: (options: { readonly isDemo: boolean }) => Promise<void>): AddCommand {
  return (program, act) => {
    program
      .command('serve')
      .description('start the service; the database must be migrated before')
      .option('--demo', 'on the first start, also create a demo account, site, key and run')
      .action(({ demo }: { demo?: true }) => act(() => serve({ isDemo: demo === true })));
  };
}
