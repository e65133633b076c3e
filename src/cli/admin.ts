import type { Command } from 'commander';
import type { Admin } from '../app/admin.js';
import type { Act, AddCommand, ExitCode, Output } from './command.js';
import { formatJson, formatTable } from './table.js';

export interface AdminServices extends Admin {
  /** The URL of a sign-in link. */
  readonly signInUrl: (token: string) => string;
}

/** Opens the database, lets `work` use the services, and closes it again. */
export type WithAdminServices = <T>(work: (services: AdminServices) => Promise<T>) => Promise<T>;

/** Arguments such as `<siteId>` or `[file]` and options such as `--name <name>`, with their descriptions. */
interface CommandParameters {
  readonly required?: Readonly<Record<string, string>>;
  readonly optional?: Readonly<Record<string, string>>;
}

/** What a command prints: the value with `--json`, otherwise the text. */
interface Printed {
  readonly value: unknown;
  readonly text: string;
  /** Printed after it, on stderr. */
  readonly note?: string;
  readonly exitCode?: ExitCode;
}

/**
 * Adds an operator's command.
 * @param run takes the arguments and options by their names, and `json`. Returns null if it has printed already
 */
type AddOperatorCommand = (
  name: string,
  description: string,
  parameters: CommandParameters,
  run: (given: never) => Promise<Printed | null>,
) => void;

/** Returns a function that adds commands below `parent`. */
export function operatorCommands(parent: Command, act: Act, output: Output): AddOperatorCommand {
  return (name, description, { required = {}, optional = {} }, run) => {
    const command = parent.command(name).description(description);
    for (const [flags, text] of Object.entries({ ...required, ...optional })) {
      if (!flags.startsWith('--')) command.argument(flags, text);
      else if (flags in required) command.requiredOption(flags, text);
      else command.option(flags, text);
    }
    command.option('--json', 'print one JSON value').action(() =>
      act(async () => {
        const named = command.registeredArguments.map((argument, index) => [
          argument.name(),
          command.processedArgs[index] as unknown,
        ]);
        const options = command.opts<{ json?: true }>();
        const printed = await run({ ...(Object.fromEntries(named) as object), ...options } as never);
        if (printed === null) return undefined;
        output.data(options.json ? formatJson(printed.value) : printed.text);
        if (printed.note !== undefined) output.note(printed.note);
        return printed.exitCode;
      }),
    );
  };
}

export type AddAdminCommand = (
  name: string,
  description: string,
  parameters: CommandParameters,
  run: (services: AdminServices, given: never, output: Output) => Promise<Printed | null>,
) => void;

/** Returns what adds the commands of one noun, such as `key create` and `key list`. */
export function adminCommands(noun: string, description: string, addAll: (add: AddAdminCommand) => void) {
  return (withAdmin: WithAdminServices, output: Output): AddCommand =>
    (program, act) => {
      const add = operatorCommands(program.command(noun).description(description), act, output);
      addAll((name, about, parameters, run) =>
        add(name, about, parameters, (given) => withAdmin((services) => run(services, given, output))),
      );
    };
}

export function printLines(value: unknown, lines: readonly string[], exitCode?: ExitCode): Printed {
  return { value, text: `${lines.join('\n')}\n`, ...(exitCode !== undefined && { exitCode }) };
}

/** A list with its table; an empty one says so. */
export function printList<T>(values: readonly T[], columns: Readonly<Record<string, (value: T) => string>>): Printed {
  const rows = values.map((value) => Object.values(columns).map((column) => column(value)));
  return { value: values, text: rows.length === 0 ? 'none\n' : formatTable(Object.keys(columns), rows) };
}
