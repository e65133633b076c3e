import { found, valueOf } from '../artifacts/evidence.js';
import type { ForwardSignals } from '../artifacts/pages.js';
import type { CollectContext, Collector } from '../probe/collector.js';
import { isHtmlBody } from '../probe/outcome.js';
import type { SiteResponse } from '../client/visit.js';

/** Only the start of llms-full.txt, which may be huge, is examined. */
const BYTES_MAX = 262_144;

/** Signals that no check judges yet. They wait for the home page, so that they never delay what a check needs. */
export const collectForwardSignals: Collector<'forwardSignals'> = async (context) => {
  const home = await context.evidence('home');
  if ('failed' in home) return home;
  const [hasLlmsFull, skills] = await Promise.all([hasLlmsFullText(context), context.evidence('agentSkills')]);
  const seen: ForwardSignals['seen'][number][] = [...(home.ok.page?.webMcp ?? [])];
  if ((valueOf(skills)?.place ?? null) !== null) seen.push('agent skills');
  if (hasLlmsFull) seen.push('llms-full.txt');
  return found<ForwardSignals>({ seen });
};

async function hasLlmsFullText(context: CollectContext): Promise<boolean> {
  const outcome = valueOf(
    await context.readFile('/llms-full.txt', 'txt', {
      bodyBytesMax: BYTES_MAX,
      attempts: 'once',
      validates: isPlainText,
    }),
  );
  return outcome?.kind === 'present' && isPlainText(outcome.value);
}

function isPlainText(response: SiteResponse): boolean {
  return response.body.length > 0 && !isHtmlBody(response);
}
