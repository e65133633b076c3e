import { InputError } from '../platform/input-error.js';

/** Asks at the terminal, which shows nothing of what is typed. @throws InputError where there is none, or nothing is typed */
export async function askPassword(
  stdin: NodeJS.ReadStream = process.stdin,
  stderr: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  if (!stdin.isTTY)
    throw new InputError('--basic: set SCAN_PASSWORD: there is no terminal to ask for the password at.');
  stderr.write('Password: ');
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  try {
    const password = await readLine(stdin);
    if (password === '') throw new InputError('--basic: no password was given.');
    return password;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

/** Empty when it is broken off. */
async function readLine(stdin: NodeJS.ReadStream): Promise<string> {
  let typed = '';
  for await (const chunk of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    for (const key of chunk) {
      if (key === '\r' || key === '\n') return typed;
      if (key === '\u0003' || key === '\u0004') return '';
      typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key;
    }
  }
  return typed;
}
