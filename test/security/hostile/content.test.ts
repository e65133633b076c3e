import * as fc from 'fast-check';
import t from 'tap';
import { CORE_TOKENS } from '../../../src/scanner/artifacts/agents.js';
import { findDisallowedAgents } from '../../../src/scanner/checks/bot-policy.js';
import { cBot02 } from '../../../src/scanner/checks/c-bot-02.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { RobotsFile, RobotsGroup, RobotsTxt } from '../../../src/scanner/artifacts/robots.js';
import { found, missing, valueOf } from '../../../src/scanner/artifacts/evidence.js';
import { DETAIL_CHARS_MAX, safeText } from '../../../src/scanner/artifacts/safe-text.js';
import { parseRobots } from '../../../src/scanner/parsers/robots.js';
import { textOfAnyCodePoints } from '../../support/code-points.js';
import { collectFrom } from '../../support/collect.js';
import { HOSTILE_READERS, scanSite } from './readers.js';
import { HOSTILE_HTML, HOSTILE_JSON_LD, HOSTILE_ROBOTS, type HostileText, markupPage } from './texts.js';

/**
 * `make torture TORTURE=blocks` takes five minutes: it makes each text as long as its reader allows, and measures how long the reader blocks
 * the event loop. BLOCKS_ONLY selects readers by name.
 */
const CHARS = 1_000;
const isWhole = process.env.BLOCKS === 'all';
const ONLY = process.env.BLOCKS_ONLY ?? '';
const BLOCK_MS_MAX = 1_000;
/** The best try counts, so that garbage collection does not. */
const TRIES = 3;
const CHECK_IDS = CHECKS.map(({ id }) => id);
type Routes = Parameters<typeof scanSite>[0];

t.test('no reader throws at a hostile text', async (t) => {
  for (const { name, charsMax, read, texts } of HOSTILE_READERS) {
    if (name.startsWith('scan of') && !isWhole) continue;
    if (!name.includes(ONLY)) continue;
    let longestMs = 0;
    for (const { name: textName, make } of texts) {
      const text = make(isWhole ? charsMax : Math.min(CHARS, charsMax));
      let blockMs = isWhole ? Infinity : 0;
      if (!isWhole) await t.resolves(Promise.resolve(read(text)), `${name}: ${textName}`);
      for (let tries = 0; isWhole && tries < TRIES && blockMs > BLOCK_MS_MAX / 10; tries += 1)
        blockMs = Math.min(blockMs, await measureLongestBlock(() => read(text)));
      longestMs = Math.max(longestMs, blockMs);
      if (isWhole) t.ok(blockMs <= BLOCK_MS_MAX, `${name}: ${textName}: ${blockMs.toFixed(0)} ms`);
    }
    if (isWhole) t.comment(`${name}: at most ${longestMs.toFixed(0)} ms`);
  }
});

/** Returns the most CPU time between two turns of the event loop during `work`, in ms. */
async function measureLongestBlock(work: () => unknown): Promise<number> {
  let longestMs = 0;
  let began = process.cpuUsage();
  const look = (): void => {
    longestMs = Math.max(longestMs, process.cpuUsage(began).user / 1000);
    began = process.cpuUsage();
  };
  let isDone = false;
  const tick = (): void => {
    look();
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  await new Promise(setImmediate);
  began = process.cpuUsage();
  await work();
  look();
  isDone = true;
  return longestMs;
}

t.test('no reader throws at whatever the pieces of its language make', async () => {
  for (const { name, read, texts } of HOSTILE_READERS) {
    if (name.startsWith('scan of')) continue;
    const pieces = texts.flatMap(({ make }) => {
      const text = make(200);
      return [text.slice(0, 40), text.slice(60, 70), text.slice(-40)];
    });
    const texts200 = fc.array(fc.oneof(fc.constantFrom(...pieces), textOfAnyCodePoints(5)), {
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(texts200, async (parts) => {
        await read(parts.join(''));
      }),
      { numRuns: 15 },
    );
  }
});

t.test('whatever a site serves, every check has a finding of bounded length', async (t) => {
  const families: readonly (readonly [texts: readonly HostileText[], routesOf: (text: string) => Routes])[] = [
    [HOSTILE_HTML, (text) => ({ '*': text })],
    [HOSTILE_ROBOTS, (text) => ({ '/': '<p>x', '/robots.txt': text })],
    [HOSTILE_JSON_LD, (text) => ({ '/': markupPage(text) })],
  ];
  for (const [texts, routesOf] of families) {
    for (const { name, make } of texts) {
      const findings = await scanSite(routesOf(make(CHARS)));
      const ids = findings.map(({ checkId }) => checkId);
      t.strictSame(ids, CHECK_IDS, name);
      t.ok(
        findings.every(({ detail }) => (detail?.length ?? 0) <= DETAIL_CHARS_MAX),
        name,
      );
    }
  }
});

/** What `judge` reads of the groups of a robots.txt: the steps that it takes, whatever the machine. */
function countSteps(robots: RobotsTxt, judge: (robots: RobotsTxt) => unknown): number {
  let steps = 0;
  const counting = <T extends object>(of: T): T =>
    new Proxy(of, {
      get: (target, key, receiver): unknown => {
        steps += 1;
        return Reflect.get(target, key, receiver);
      },
    });
  const countingIn = (groups: readonly RobotsGroup[]) =>
    counting(
      groups.map(({ tokens, rules, preferences, ...rest }) =>
        counting({ ...rest, tokens: counting(tokens), rules: counting(rules), preferences: counting(preferences) }),
      ),
    );
  const { rfc, google } = robots.groups;
  judge({ ...robots, groups: { rfc: countingIn(rfc), google: countingIn(google) } });
  return steps;
}

/** Judges what robots.txt says of a site. */
async function policySite() {
  const home = valueOf(await collectFrom({ routes: { '/': '<!doctype html><p>Some words' } }, 'home'));
  const robotsFile = valueOf(await collectFrom({ routes: { '/robots.txt': 'User-agent: *\nAllow: /\n' } }, 'robots'));
  if (!home || robotsFile?.kind !== 'present') throw new Error('the fixture site has a home page and a robots.txt');
  const fileOf = (robots: RobotsTxt): RobotsFile => ({ ...robotsFile.value, robots });
  const nothing = missing('NOT_APPLICABLE', safeText`none`);
  const judgePolicy = (robots: RobotsTxt) =>
    cBot02.judge({
      ...{ home, llms: nothing, llmsDocument: nothing, sitemapEntries: nothing },
      robots: found({ kind: 'present', value: fileOf(robots) }),
    });
  return { home, fileOf, judgePolicy };
}

t.test('what the judges of a policy read grows no faster than robots.txt', async (t) => {
  const { home, fileOf, judgePolicy } = await policySite();
  const judges: Readonly<Record<string, (robots: RobotsTxt) => unknown>> = {
    admission: (robots) => findDisallowedAgents(fileOf(robots), home, CORE_TOKENS),
    consistency: judgePolicy,
  };
  for (const { name, make } of HOSTILE_ROBOTS) {
    const [small, large] = [parseRobots(make(16_000)), parseRobots(make(32_000))];
    for (const [what, judge] of Object.entries(judges)) {
      const growth = (countSteps(large, judge) + 100) / (countSteps(small, judge) + 100);
      t.ok(growth < 3, `${what} of ${name}: ${growth.toFixed(1)} times the steps for twice the text`);
    }
  }
});

t.test('a name that is repeated thousands of times does not multiply the signals of its group', async (t) => {
  const { judgePolicy } = await policySite();
  const text = HOSTILE_ROBOTS.find(({ name }) => name === 'one name again and again, with signals')?.make(1_000_000);
  t.match(judgePolicy(parseRobots(text ?? '')), { result: 'FAIL', errorType: 'POLICY_INCONSISTENT' });
});

t.test('a group of a hundred thousand signals is judged', async (t) => {
  const { judgePolicy } = await policySite();
  const text = `User-agent: x\n${`Content-Signal: ${'search,'.repeat(200)}\n`.repeat(720)}`;
  t.match(judgePolicy(parseRobots(text)), { result: 'FAIL', errorType: 'POLICY_INCONSISTENT' });
});
