import { type Browser, chromium } from 'playwright-core';
import { findProgram, isExecutable } from './find-program.js';

/** Chromium by itself, without what it would ask its maker for. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** The first is Chromium without what only a window needs: a third less work. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser to test with: CHROMIUM_PATH, or the first one in PATH; null when there is none. */
export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) return isExecutable(given) ? given : null;
  return findProgram(...NAMES);
}

export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}

/** A phone of the narrowest sort that is still about. */
export const NARROW = { viewport: { width: 360, height: 740 } } as const;
