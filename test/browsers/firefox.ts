import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { findProgram } from '../support/browser.js';
import type { Engine, EngineKind } from './engine.js';

/** Drives Firefox by WebDriver BiDi, which needs no driver. */
export const FIREFOX: EngineKind = {
  name: 'Firefox',
  missing: () => (findFirefox() === null ? 'Firefox (firefox-esr)' : null),
  start: async () => {
    const profile = mkdtempSync(join(tmpdir(), 'agent-readiness-firefox-'));
    const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
    const firefox = spawn(findFirefox() ?? '', options, { stdio: ['ignore', 'ignore', 'pipe'] });
    const gone = once(firefox, 'exit');
    const send = await connectBidi(await addressOf(firefox.stderr));
    const { contexts } = await send<{ contexts: readonly [{ context: string }] }>('browsingContext.getTree', {});
    const close = async (): Promise<void> => {
      await send('browser.close', {});
      await gone;
      rmSync(profile, { recursive: true, force: true });
    };
    return { ...pageOf(send, contexts[0].context), close };
  },
};

function findFirefox(): string | null {
  return findProgram('firefox-esr', 'firefox');
}

/** Returns the address at which Firefox listens. Reads on, since Firefox would wait for a reader of further output. */
function addressOf(said: Readable): Promise<string> {
  const lines = createInterface({ input: said });
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const url = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    lines.on('close', () => reject(new Error('Firefox ended before it listened')));
  });
}

interface Evaluated {
  readonly result?: { readonly value?: string };
  readonly exceptionDetails?: { readonly text: string };
}

function pageOf(send: Command, context: string): Omit<Engine, 'close'> {
  return {
    name: 'Firefox',
    // A navigation by the page itself aborts the first try.
    goto: async (url) => {
      const go = () => send('browsingContext.navigate', { context, url, wait: 'complete' });
      await go().catch(go);
    },
    evaluate: async <T>(expression: string) => {
      const { result, exceptionDetails } = await send<Evaluated>('script.evaluate', {
        expression: `JSON.stringify(${expression}) ?? 'null'`,
        target: { context },
        awaitPromise: false,
      });
      if (result?.value === undefined) throw new Error(exceptionDetails?.text ?? 'no value');
      return JSON.parse(result.value) as T;
    },
  };
}

type Command = <T>(method: string, parameters: object) => Promise<T>;

/** Opens a session of WebDriver BiDi (W3C), which is JSON over a web socket. */
async function connectBidi(url: string): Promise<Command> {
  const socket = new WebSocket(`${url}/session`);
  await once(socket, 'open');
  let last = 0;
  const send: Command = async <T>(method: string, params: object) => {
    const id = (last += 1);
    const messages = on(socket, 'message', { close: ['close'] });
    socket.send(JSON.stringify({ id, method, params }));
    for await (const [{ data }] of messages as AsyncIterable<[MessageEvent]>) {
      const answer = JSON.parse(String(data)) as { id: number | null; result?: T; message?: string };
      if (answer.id === id && answer.result !== undefined) return answer.result;
      if (answer.id === id) throw new Error(`${method}: ${answer.message ?? 'no result'}`);
    }
    throw new Error(`${method}: the browser ended`);
  };
  await send('session.new', { capabilities: {} });
  return send;
}
