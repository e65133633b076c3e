import type { AddCommand, Output } from './command.js';

/** `openapi`: prints the OpenAPI document, byte for byte as it is committed. */
export function addOpenapiCommand(readDocument: () => Promise<string>, output: Output): AddCommand {
  return (program, act) => {
    program
      .command('openapi')
      .description('print the OpenAPI document of the API')
      .option('--json', 'has no effect: the document is always JSON')
      .action(() =>
        act(async () => {
          output.data(await readDocument());
        }),
      );
  };
}
