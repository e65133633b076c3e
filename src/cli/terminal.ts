import { PROGRAM } from '../scanner/report/program.js';
import { EXIT, type Display, type Output } from './command.js';

/** 128 + SIGPIPE, the exit code that shells report if the reader of a pipe, such as `head`, exits early. */
const READER_EXITED = 141;

const COLUMNS_MIN = 40;
const COLUMNS_MAX = 100;

export type DisplayOptions = Omit<Display, 'columns'> & { readonly columns?: number | null };

/** Writes to the process's streams. Ends the process if stdout fails: silently if its reader has exited, otherwise with an error. */
export function createTerminalOutput(
  { columns = null, ...options }: DisplayOptions,
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
  exit: (code: number) => void = (code) => process.exit(code),
): Output {
  const note = (text: string): void => {
    stderr.write(`${text}\n`);
  };
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      exit(READER_EXITED);
      return;
    }
    note(`${PROGRAM} failed: cannot write to stdout: ${error.message}`);
    exit(EXIT.failure);
  });
  // A closed stderr must not end the process.
  stderr.on('error', () => undefined);
  return {
    data: (text) => {
      stdout.write(text);
    },
    note,
    progress: stderr.isTTY
      ? (text) => {
          stderr.write(`\r\u001b[2K${text}`);
        }
      : null,
    display: {
      ...options,
      hasColour: options.hasColour && stdout.isTTY,
      columns: Math.min(COLUMNS_MAX, Math.max(COLUMNS_MIN, columns ?? (stdout.isTTY ? stdout.columns : 80))),
    },
  };
}
