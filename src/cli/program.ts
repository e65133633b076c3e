import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.js';
import { InputError } from '../platform/errors.js';
import { type RunAction, type AddCommand, EXIT, type ExitCode, type Output } from './command.js';
import { PROGRAM } from '../scanner/report/program.js';

/**
 * Runs the command line and returns the exit code: 2 for bad usage or configuration, 4 for internal failures, each with one line
 * on stderr (for bad configuration, one line per fault).
 * @param args the arguments without the interpreter and the script
 */
export async function runProgram(
  args: readonly string[],
  commands: readonly AddCommand[],
  output: Output,
  version: string,
): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const runAction: RunAction = async (action) => {
    exitCode = (await action()) ?? EXIT.ok;
  };
  const program = createProgram(version, args, output);
  for (const addCommand of commands) addCommand(program, runAction);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportError(error, output);
  }
}

function createProgram(version: string, args: readonly string[], output: Output): Command {
  const program = new Command(PROGRAM);
  return program
    .description('Tells the owner of a web site whether AI agents can find, read, trust and use it.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        output.data(text);
      },
      writeErr: (text) => {
        const body = text.trimEnd();
        // A suggestion has a line of its own. Without a command, the text is the whole help.
        output.note(body.startsWith('error:') ? addHelpHint(body.replaceAll('\n', ' '), helpFor(program, args)) : body);
      },
    })
    .showSuggestionAfterError();
}

function addHelpHint(error: string, help: string): string {
  return error.includes('(Did you mean') ? error : `${error.replace(/\.$/, '')}. See "${help}".`;
}

/** Returns the command that prints the help of the command in `args`. */
function helpFor(program: Command, args: readonly string[]): string {
  const words: string[] = [];
  let command: Command | undefined = program;
  for (const word of args) {
    command = command.commands.find((child) => child.name() === word);
    if (command === undefined) break;
    words.push(word);
  }
  return [PROGRAM, ...words, '--help'].join(' ');
}

function reportError(error: unknown, output: Output): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof InputError || error instanceof ConfigError) {
    output.note(error.message);
    return EXIT.usage;
  }
  output.note(`${PROGRAM} failed: ${error instanceof Error ? error.message : String(error)}`);
  return EXIT.failure;
}
