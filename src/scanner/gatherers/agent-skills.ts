import { createHash } from 'node:crypto';
import type { AgentSkills } from '../artifacts/agent-skills.js';
import { found } from '../artifacts/evidence.js';
import { term } from '../artifacts/safe-text.js';
import { isSameSite } from '../artifacts/site-address.js';
import type { SkillFile } from '../parsers/manifests/agent-skills.js';
import { readSkillIndex } from '../parsers/manifests/agent-skills.js';
import { detectChallenge } from '../client/challenge.js';
import { isHtmlBody } from '../probe/outcome.js';
import type { CollectContext, Collector } from '../probe/collector.js';
import { readWellKnown } from './manifest-document.js';

const INDEX = term('/.well-known/agent-skills/index.json');
/** Where version 0.1.0 placed it. */
const LEGACY_INDEX = term('/.well-known/skills/index.json');
const NONE: AgentSkills = { place: null, schema: 'other', problems: [], firstFile: 'unknown' };

/** The index of agent skills, and whether the first skill is the file that it says. Waits for the home page: no check needs it. */
export const collectAgentSkills: Collector<'agentSkills'> = async (context) => {
  const home = await context.evidence('home');
  if ('failed' in home) return home;
  const [current, legacy] = await Promise.all(
    [INDEX, LEGACY_INDEX].map((path) => readWellKnown(context, path, (text, { url }) => readSkillIndex(text, url))),
  );
  if (current?.kind === 'read') {
    const { problems, value } = current;
    const file = problems.length === 0 ? value?.first : null;
    return found<AgentSkills>({
      place: value?.hasSkills === true ? 'current' : null,
      schema: value?.schema ?? 'other',
      problems,
      firstFile: file ? await checkFile(context, file) : 'unknown',
    });
  }
  const isLegacy = legacy?.kind === 'read' && legacy.problems.length === 0;
  return found<AgentSkills>(isLegacy ? { ...NONE, place: 'legacy' } : NONE);
};

/** One request, to the site itself. */
async function checkFile(context: CollectContext, { url, type, sha256 }: SkillFile): Promise<AgentSkills['firstFile']> {
  if (!isSameSite(url, context.target.origin)) return 'unknown';
  const fetched = await context.visit.fetch(url, { accept: 'text/markdown, */*;q=0.8', attempts: 'once' });
  if ('failure' in fetched || detectChallenge(fetched.response) !== null) return 'unknown';
  const { status, headers, body, isOverLimit } = fetched.response;
  if (status === 404 || status === 410) return 'gone';
  // An archive that a server calls gzip-encoded has been unpacked on its way, so its own bytes are not known.
  const isUnpacked = type === 'archive' && headers.get('content-encoding') !== null;
  if (status < 200 || status > 299 || isOverLimit || isUnpacked) return 'unknown';
  if (isHtmlBody(fetched.response)) return 'gone';
  return createHash('sha256').update(body).digest('hex') === sha256 ? 'right' : 'wrong';
}
