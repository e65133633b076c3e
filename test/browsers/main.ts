/**
 * `make browsers`: the same journey in Chromium, Firefox and WebKit: sign in, add a site, verify it, run, read a finding, check it again.
 * Then ten pages are drawn in each, into FOLDER, and compared: headings break into the same lines, heights differ by 2 % at the most,
 * nothing reaches beyond the window, every link in a text has its line. An engine that is not installed is skipped by name.
 * ENGINES=WebKit takes some of them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { startOwnSite } from '../support/own-site.js';
import { runInScope } from '../support/script.js';
import { startService } from '../support/service.js';
import { CHROMIUM } from './chromium.js';
import type { Engine, EngineKind } from './engine.js';
import { FIREFOX } from './firefox.js';
import { goThrough, type JourneyDeps } from './journey.js';
import { differencesOf, faultsOf, heightsOf, type Look, lookAt } from './look.js';
import { WEBKIT } from './webkit.js';

/** The window of WebKitGTK is never narrower than its bar, 447 px: the second is the layout of phones. */
const WIDTHS = [1280, 480] as const;
const HEIGHT_PX = 800;
/** Of a picture; WebKit's shows the window alone. */
const PICTURE_PX_MAX = 10_000;

const folder = process.argv[2] ?? 'dist/browsers';
mkdirSync(folder, { recursive: true });

/** Of each page at each width, its look by engine. */
const looks = new Map<string, Map<string, Look>>();
const drawnBy: string[] = [];
const faults: string[] = [];

await runInScope(async (scope) => {
  const asked = process.env.ENGINES?.split(' ');
  const kinds = [CHROMIUM, FIREFOX, WEBKIT].filter(({ name }) => asked?.includes(name) ?? true);
  const site = await startOwnSite(scope);
  const service = await startService(scope, { scanPorts: [site.port] });
  for (const kind of kinds) {
    const lack = kind.missing();
    if (lack !== null) process.stdout.write(`${kind.name}: skipped, there is no ${lack}\n`);
    else await drive(kind, { service, site, email: `${kind.name.toLowerCase()}@example.com` });
  }
});

async function drive({ name, start }: EngineKind, deps: JourneyDeps): Promise<void> {
  let engine: Engine | null = null;
  try {
    engine = await start();
    await engine.resize(WIDTHS[0], HEIGHT_PX);
    const pages = await goThrough(engine, deps);
    await draw(engine, pages);
    drawnBy.push(name);
    process.stdout.write(`${name}: went all the way, ${pages.size} pages drawn at ${WIDTHS.length} widths\n`);
  } catch (error) {
    faults.push(`${name}: ${inspect(error)}`);
  } finally {
    await engine?.close();
  }
}

/** @param pages the address of each, by its name */
async function draw(engine: Engine, pages: ReadonlyMap<string, string>): Promise<void> {
  for (const [page, url] of pages) {
    for (const width of WIDTHS) {
      await engine.resize(width, HEIGHT_PX);
      await engine.goto(url);
      const look = await lookAt(engine);
      const name = `${page} at ${width}`;
      looks.set(name, (looks.get(name) ?? new Map<string, Look>()).set(engine.name, look));
      faults.push(...faultsOf(name, engine.name, look));
      await engine.resize(width, Math.min(look.heightPx, PICTURE_PX_MAX));
      writeFileSync(join(folder, `${page}-${width}-${engine.name.toLowerCase()}.png`), await engine.screenshot());
    }
  }
}

for (const [page, byEngine] of looks) {
  process.stdout.write(`${page}: ${heightsOf(byEngine)} px high\n`);
  faults.push(...differencesOf(page, byEngine));
}
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${drawnBy.length} engines, ${faults.length} differences and faults; pictures in ${folder}\n`);
if (faults.length > 0) process.exitCode = 1;
