import type { Admin } from '../app/admin.js';
import type { AddCommand, ExitCode, Output } from './command.js';
import { formatJson, formatTable } from './table.js';

export interface AdminServices extends Admin {
  readonly signInUrl: (token: string) => string;
}

/** Output of a command: the value with `--json`, otherwise the text. */
interface Printed {
  readonly value: unknown;
  readonly text: string;
  /** Printed on stderr afterwards. */
  readonly note?: string;
  readonly exitCode?: ExitCode;
}

/** Arguments and options with their descriptions: `<siteId>`, `[file]`, `--name <name>` or `--keep-keys`. */
interface Parameters {
  readonly required?: Readonly<Record<string, string>>;
  readonly optional?: Readonly<Record<string, string>>;
}

interface OperatorCommand<Services> extends Parameters {
  readonly about: string;
  /** Returns null if it has printed its output itself. */
  readonly run: (services: Services, input: never, output: Output) => Promise<Printed | null>;
}

/**
 * Returns a function that defines commands. Commander names the fields of the input of `run`: `siteId` for `<siteId>`, `keepKeys` for
 * `--keep-keys`.
 */
export function commandFactory<Services>() {
  return (about: string, parameters: Parameters, run: OperatorCommand<Services>['run']): OperatorCommand<Services> => ({
    about,
    ...parameters,
    run,
  });
}

/** Opens the services, calls `work` with them, and closes them. */
export type WithServices<Services> = <T>(work: (services: Services) => Promise<T>) => Promise<T>;

/** Groups commands, such as `key create` and `key list`. @param parent null for commands without a noun */
export function operatorCommands<Services>(
  parent: { readonly noun: string; readonly about: string } | null,
  commands: Readonly<Record<string, OperatorCommand<Services>>>,
) {
  return (withServices: WithServices<Services>, output: Output): AddCommand =>
    (program, runAction) => {
      const group = parent ? program.command(parent.noun).description(parent.about) : program;
      for (const [name, { about, required = {}, optional = {}, run }] of Object.entries(commands)) {
        const command = group.command(name).description(about);
        for (const [flags, text] of Object.entries({ ...required, ...optional })) {
          if (!flags.startsWith('--')) command.argument(flags, text);
          else if (flags in required) command.requiredOption(flags, text);
          else command.option(flags, text);
        }
        command.option('--json', 'print one JSON value').action(() =>
          runAction(async () => {
            const options = command.opts<{ json?: true }>();
            const named = command.registeredArguments.map((argument, index): [string, unknown] => [
              argument.name(),
              command.processedArgs[index],
            ]);
            const input = { ...Object.fromEntries(named), ...options } as never;
            const printed = await withServices((services) => run(services, input, output));
            if (printed === null) return undefined;
            output.data(options.json ? formatJson(printed.value) : printed.text);
            if (printed.note !== undefined) output.note(printed.note);
            return printed.exitCode;
          }),
        );
      }
    };
}

export function printLines(value: unknown, lines: readonly string[], exitCode?: ExitCode): Printed {
  return { value, text: `${lines.join('\n')}\n`, ...(exitCode !== undefined && { exitCode }) };
}

/** Prints a list as a table, or `none` if it is empty. */
export function printList<T>(values: readonly T[], columns: Readonly<Record<string, (value: T) => string>>): Printed {
  const rows = values.map((value) => Object.values(columns).map((column) => column(value)));
  return { value: values, text: rows.length === 0 ? 'none\n' : formatTable(Object.keys(columns), rows) };
}
