import { EXIT, type Output } from './command.js';

/** 128 + SIGPIPE: how a shell reports a program whose reader, such as `head`, has gone before it was done. */
const READER_GONE = 141;

/**
 * Output to the process's own streams; progress only when stderr is a terminal. Ends the process when what it has to say has no
 * way out any more: quietly when the reader of stdout has left, as other programs do, or else as a failure of ours.
 */
export function createTerminalOutput(
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
  // Nobody reads the notes; the work goes on.
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
  };
}
