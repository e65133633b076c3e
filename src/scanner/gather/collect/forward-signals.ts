import { found, valueOf } from '../../evidence/evidence.js';
import type { ForwardSignals } from '../../evidence/pages.js';
import type { CollectContext, Collector } from './collector.js';
import { toFileFacts } from '../context/file-facts.js';
import { isHtmlBody } from '../context/outcome.js';
import type { SiteResponse } from '../fetch/visit.js';

/** The index of agent skills, at the locations of the newer and the older proposal. */
const SKILL_INDEXES = ['/.well-known/agent-skills/index.json', '/.well-known/skills/index.json'];
/** A skills index is small; only the start of llms-full.txt, which may be huge, is examined. */
const BYTES_MAX = 262_144;

/** Signals that no check judges yet. They wait for the home page, so that they never delay what a check needs. */
export const collectForwardSignals: Collector<'forwardSignals'> = async (context) => {
  const home = await context.evidence('home');
  if ('failed' in home) return home;
  const [hasLlmsFull, ...hasSkills] = await Promise.all([
    isPresent(context, '/llms-full.txt', isPlainText),
    ...SKILL_INDEXES.map((path) => isPresent(context, path, isSkillIndex)),
  ]);
  const seen: ForwardSignals['seen'][number][] = [...(home.ok.page?.webMcp ?? [])];
  if (hasSkills.includes(true)) seen.push('agent skills');
  if (hasLlmsFull) seen.push('llms-full.txt');
  return found<ForwardSignals>({ seen });
};

async function isPresent(
  context: CollectContext,
  path: string,
  validates: (response: SiteResponse) => boolean | Promise<boolean>,
): Promise<boolean> {
  const shape = path.endsWith('.txt') ? 'txt' : 'well-known';
  const outcome = valueOf(
    await context.readFile(path, shape, { bodyBytesMax: BYTES_MAX, attempts: 'once', validates }),
  );
  return outcome?.kind === 'present' && (await validates(outcome.value));
}

function isPlainText(response: SiteResponse): boolean {
  return response.body.length > 0 && !isHtmlBody(response);
}

async function isSkillIndex(response: SiteResponse): Promise<boolean> {
  const { text } = await toFileFacts(response);
  try {
    const index = JSON.parse(text) as { readonly skills?: unknown } | null;
    return Array.isArray(index?.skills);
  } catch {
    return false;
  }
}
