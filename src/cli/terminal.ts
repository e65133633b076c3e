import { EXIT, type Look, type Output } from './command.js';

/** 128 + SIGPIPE: what shells report for a program whose reader, such as `head`, exits early. */
const READER_GONE = 141;

/**
 * Output to the process's streams; progress only when stderr is a terminal. Ends the process when stdout fails: quietly if its
 * reader has exited, as other programs do, otherwise as an internal failure.
 */
export function createTerminalOutput(
  wishes: Look,
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
  exit: (code: number) => void = (code) => process.exit(code),
): Output {
  const note = (text: string): void => {
    stderr.write(`${text}\n`);
  };
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      exit(READER_GONE);
      return;
    }
    note(`agent-readiness failed: stdout cannot be written: ${error.message}`);
    exit(EXIT.failure);
  });
  // A closed stderr must not stop the work.
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
    // Nobody looks at colours in a file.
    look: { ...wishes, hasColour: wishes.hasColour && stdout.isTTY },
  };
}
