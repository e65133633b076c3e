import { setImmediate } from 'node:timers/promises';
import { found } from '../artifacts/evidence.js';
import type { LlmsDocument, LlmsLinks } from '../artifacts/llms.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { withoutFragment } from '../artifacts/site-address.js';
import { sampleEvenly } from './sample-evenly.js';
import { isTemplated } from '../parsers/manifests/shape.js';
import type { Collector } from '../probe/context.js';
import { distinctBy } from '../../net/keyed.js';

/** Links that are always followed; if there are too many, the others are sampled evenly from the rest. */
const FIRST_LINKS = 5;

interface Target {
  readonly line: number;
  readonly url: URL;
}

/** Follows a deterministic sample of the distinct first-party links of llms.txt. */
export const collectLlmsLinks: Collector<'llmsLinks'> = async (context) => {
  const document = await context.evidence('llmsDocument');
  if ('failed' in document) return document;
  // Lets the test of agents' names start first: a rate limit caused by many links must not look like the refusal of a name.
  await context.evidence('robots');
  await setImmediate();
  const targets = findTargets(document.ok);
  const checked = await Promise.all(
    chooseSample(targets).map(async ({ line, url }) => ({
      line,
      state: await context.probeLink(url, { priority: 'llmsLinks' }),
    })),
  );
  return found<LlmsLinks>({ firstPartyCount: targets.length, checked });
};

/** Returns first-party links, once per URL without fragment. Skips links with a placeholder, such as `/users/{id}`. */
function findTargets({ links }: LlmsDocument): Target[] {
  const own = links.flatMap(({ line, url, isFirstParty }) =>
    url === null || !isFirstParty || isTemplated(url.href) ? [] : { line, url },
  );
  return distinctBy(own, ({ url }) => withoutFragment(url));
}

/** Returns all links up to 20; else the first 5, and 15 evenly spaced ones from the sixth to the last. */
function chooseSample<T>(all: readonly T[]): readonly T[] {
  const { llmsLinksMax } = SCAN_LIMITS;
  return [...all.slice(0, FIRST_LINKS), ...sampleEvenly(all.slice(FIRST_LINKS), llmsLinksMax - FIRST_LINKS)];
}
