import { Option } from 'commander';
import type { AddCommand, Output } from './command.js';

/** Versions of the document. The API serves the first. */
const VERSIONS = ['3.1', '3.0'] as const;
export type OasVersion = (typeof VERSIONS)[number];

/** `openapi`: prints the OpenAPI document, byte for byte as it is committed. */
export function addOpenapiCommand(readDocument: (oas: OasVersion) => Promise<string>, output: Output): AddCommand {
  return (program, act) => {
    program
      .command('openapi')
      .description('print the OpenAPI document of the API')
      .addOption(new Option('--oas <version>', 'the version of OpenAPI').choices(VERSIONS).default(VERSIONS[0]))
      .option('--json', 'has no effect: the document is always JSON')
      .action(({ oas }: { oas: OasVersion }) =>
        act(async () => {
          output.data(await readDocument(oas));
        }),
      );
  };
}
