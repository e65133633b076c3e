import { found } from '../artifacts/evidence.js';
import type { ForwardSignals } from '../artifacts/pages.js';
import { safeText, term } from '../artifacts/safe-text.js';
import { isArray } from '../parsers/json.js';
import { readManifest } from '../parsers/manifests/shape.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { type ManifestParser, readWellKnown } from './documents.js';
import { isHtmlBody } from '../probe/outcome.js';
import type { SiteResponse } from '../client/visit.js';

/** Only the start of llms-full.txt, which may be huge, is examined. */
const BYTES_MAX = 262_144;

/** Collects signals that no check uses yet. Waits for the home page, so that it never delays what checks need. */
export const collectForwardSignals: Collector<'forwardSignals'> = async (context) => {
  const home = await context.evidence('home');
  if ('failed' in home) return home;
  const [hasLlmsFull, hasSkills] = await Promise.all([hasLlmsFullText(context), hasSkillIndex(context)]);
  const seen: ForwardSignals['seen'][number][] = [];
  if (home.ok.page?.hasWebMcp === true) seen.push('WebMCP');
  if (hasSkills) seen.push('agent skills');
  if (hasLlmsFull) seen.push('llms-full.txt');
  return found<ForwardSignals>({ seen });
};

/** Agent Skills Discovery 0.2.0, then the path of version 0.1.0. */
const SKILL_INDEXES = [term('/.well-known/agent-skills/index.json'), term('/.well-known/skills/index.json')];

async function hasSkillIndex(context: CollectContext): Promise<boolean> {
  const readings = await Promise.all(SKILL_INDEXES.map((path) => readWellKnown(context, { path, parse: readIndex })));
  return readings.some(({ reading }) => reading.kind === 'read' && reading.problems.length === 0);
}

const readIndex: ManifestParser<null> = (text, { url }) =>
  readManifest(text, url, (index) => ({
    problems: isArray(index.at('skills').value) ? [] : [index.faultOf(safeText`skills`)],
    value: null,
  }));

async function hasLlmsFullText(context: CollectContext): Promise<boolean> {
  const outcome = await context.readFile('/llms-full.txt', 'txt', {
    bodyBytesMax: BYTES_MAX,
    attempts: 'once',
    priority: 'guesses',
    validates: isPlainText,
  });
  return outcome.kind === 'present' && isPlainText(outcome.value);
}

function isPlainText(response: SiteResponse): boolean {
  return response.body.length > 0 && !isHtmlBody(response);
}
