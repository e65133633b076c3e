import type { AddCommand } from './command.js';

/** `serve`: starts the service; ends when the process is told to. */
export function addServeCommand(serve: (options: { readonly isDemo: boolean }) => Promise<void>): AddCommand {
  return (program, act) => {
    program
      .command('serve')
      .description('start the service; it never migrates')
      .option('--demo', 'set up a demonstration account, site, key and run on the first start')
      .action(({ demo }: { demo?: true }) => act(() => serve({ isDemo: demo === true })));
  };
}
