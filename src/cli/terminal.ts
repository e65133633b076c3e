import type { Output } from './command.js';

/** Output to the process's own streams; progress only when stderr is a terminal. */
export function createTerminalOutput(
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
): Output {
  return {
    data: (text) => {
      stdout.write(text);
    },
    note: (text) => {
      stderr.write(`${text}\n`);
    },
    progress: stderr.isTTY
      ? (text) => {
          stderr.write(`\r\u001b[2K${text}`);
        }
      : null,
  };
}
