import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findFile, findProgram } from '../support/browser.js';
import { freePort } from '../support/servers.js';
import type { Engine, EngineKind } from './engine.js';

const MINI_BROWSER = '/usr/lib/*/webkit2gtk-4.*/MiniBrowser';
const SCREEN = '1400x1000x24';

/** Drives WebKit by classic WebDriver (W3C), on a virtual screen. */
export const WEBKIT: EngineKind = {
  name: 'WebKit',
  missing: () => {
    const isThere = findProgram('WebKitWebDriver') && findFile(MINI_BROWSER) && findProgram('Xvfb');
    return isThere ? null : 'WebKitGTK (webkit2gtk-driver, xvfb)';
  },
  start: async () => {
    const screen = await startScreen();
    const port = await freePort();
    const env = { ...process.env, DISPLAY: screen.display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' };
    const driver = spawn(findProgram('WebKitWebDriver') ?? '', [`--port=${port}`], { env, stdio: 'ignore' });
    const base = `http://127.0.0.1:${port}`;
    await answering(base);
    const { sessionId } = await send<{ sessionId: string }>(`${base}/session`, {
      capabilities: {
        alwaysMatch: {
          'webkitgtk:browserOptions': { binary: findFile(MINI_BROWSER), args: ['--automation'] },
        },
      },
    });
    return engineOf(`${base}/session/${sessionId}`, [driver, screen.process]);
  },
};

function engineOf(session: string, processes: readonly ChildProcess[]): Engine {
  return {
    name: 'WebKit',
    evaluate: (expression) => send(`${session}/execute/sync`, { script: `return (${expression})`, args: [] }),
    goto: (url) => send(`${session}/url`, { url }),
    close: async () => {
      await fetch(session, { method: 'DELETE' });
      for (const process of processes) process.kill();
    },
  };
}

/** The driver may forget a command. */
const COMMAND_MS_MAX = 30_000;

async function send<T>(url: string, body?: object): Promise<T> {
  const answer = await fetch(url, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(COMMAND_MS_MAX),
  });
  const { value } = (await answer.json()) as { readonly value: T & { readonly message?: string } };
  if (!answer.ok) throw new Error(`${url}: ${value.message ?? answer.status}`);
  return value;
}

async function answering(base: string): Promise<void> {
  while (!(await fetch(`${base}/about`).catch(() => null))) await new Promise((resolve) => setImmediate(resolve));
}

/** Xvfb chooses a free display and prints it. */
async function startScreen(): Promise<{ readonly display: string; readonly process: ChildProcess }> {
  const process = spawn(findProgram('Xvfb') ?? '', ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const said = process.stdio[3];
  if (!said || !('readable' in said)) throw new Error('Xvfb has no way to say its display');
  const [line] = (await once(createInterface({ input: said }), 'line')) as [string];
  return { display: `:${line}`, process };
}
