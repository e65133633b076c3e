import type { Check } from '../../scanner/verdict/check.js';
import { type Pillar, PILLARS } from '../../scanner/verdict/vocabulary.js';
import { groupNameOf } from '../../scanner/report/pins.js';

/** The checks of one pillar, or those that look ahead. */
export interface PillarGroup {
  /** `Discovery` */
  readonly name: string;
  /** The question that they answer. */
  readonly subject: string;
  readonly checks: readonly Check[];
}

const SUBJECTS: Readonly<Record<Pillar, string>> = {
  A: 'Do llms.txt and the sitemap lead agents to what matters?',
  B: 'Do robots.txt and your CDN or firewall let agents in?',
  C: 'Does JSON-LD tell agents who you are and what you offer?',
  D: 'Can agents use your site directly, over MCP, A2A, its API or as Markdown?',
};

/** The checks by pillar, in the order of the registry; those without a pillar come last. */
export function groupByPillar(checks: readonly Check[]): readonly PillarGroup[] {
  const pillars = Object.keys(PILLARS) as Pillar[];
  const groups = pillars.map((pillar) => ({
    name: groupNameOf(pillar),
    subject: SUBJECTS[pillar],
    checks: checks.filter((check) => check.pillar === pillar),
  }));
  const ahead = {
    name: groupNameOf(null),
    subject: 'Do you say what AI may do with your content? Not scored.',
    checks: checks.filter(({ pillar }) => pillar === null),
  };
  return [...groups, ahead].filter((group) => group.checks.length > 0);
}
