import type { AddCommand, Output } from './command.js';

/** `openapi`: the description document, byte for byte as the project keeps it. */
export function addOpenapiCommand(readDocument: () => Promise<string>, output: Output): AddCommand {
  return (program, act) => {
    program
      .command('openapi')
      .description('print the OpenAPI document of the API')
      .option('--json', 'has no effect, since the document is JSON')
      .action(() =>
        act(async () => {
          output.data(await readDocument());
        }),
      );
  };
}
