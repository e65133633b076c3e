import { SIGN_UP_PATH } from '../server/paths.js';
import { ADDRESSES } from '../server/agent-paths.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { headingId } from '../html/prose.js';
import { OPERATOR_PATH, PUBLIC_PAGES } from '../server/public-pages.js';
import type { Facts } from './facts.js';
import type { PageText } from './page-text.js';
import { groupByPillar } from './pillars.js';

/** The section of the page of checks that says how the score is made. */
export const SCORE_HEADING = 'How the score is made';

export const HOME_HEADING = 'Can AI agents use your site?';

export function homeLead({ checks }: Pick<Facts, 'checks'>): string {
  return `${countOf(checks.length, 'check')} of what agents find, read, trust and use. Every failure comes with its proof and its fix.`;
}

/** What may be relied on, by its heading. */
export const PROMISES: readonly (readonly [heading: string, text: string])[] = [
  [
    'A failure can be repeated',
    'Each one names the request, the answer and the line. Run the curl command yourself and see the same.',
  ],
  [
    'Doubt is not failure',
    'What we could not settle is marked undetermined. What does not apply to your site is left out of the score.',
  ],
  ['A fix takes seconds to prove', 'Fix it, press Check again, and that one check runs. No waiting for the next scan.'],
];

/** For the settings of an MCP client. */
export function mcpSettings(publicUrl: string): string {
  return `{ "mcpServers": { "agent-readiness": {
  "type": "http",
  "url": "${publicUrl}${ADDRESSES.mcp}"
} } }`;
}

export function runCommand(publicUrl: string): string {
  return `KEY="Authorization: Bearer $API_KEY"
API=${publicUrl}${ADDRESSES.api}
curl -XPOST -H "$KEY" \\
  $API/sites/$SITE_ID/runs`;
}

export const FOR_AGENTS = 'The same scan over MCP. No key needed.';
export const FOR_DEPLOYMENTS = 'Start a run after each release and read what it found, with an account.';

export const PLANS = 'The API is included from the plan MONITOR; a deploy hook needs no key.';

export function homeText(facts: Facts): PageText {
  const { publicUrl, checks, isSignUpOpen } = facts;
  const { checks: checksPage } = PUBLIC_PAGES;
  const areas = groupByPillar(checks).map(
    ({ name, subject, checks: members }) =>
      `- [${name}](${checksPage.path}#${headingId(name)}) (${countOf(members.length, 'check')}). ${subject}`,
  );
  return {
    heading: HOME_HEADING,
    lead: homeLead(facts),
    body: `
## What is checked

${areas.join('\n')}

The [score](${checksPage.path}#${headingId(SCORE_HEADING)}) runs from 0 to 100.

## No verdict without proof

${PROMISES.map(([heading, text]) => `- ${heading}. ${text}`).join('\n')}

## For agents

${FOR_AGENTS}

\`\`\`json Settings of an MCP client
${mcpSettings(publicUrl)}
\`\`\`

This page and most others are also available as Markdown: request them with \`Accept: text/markdown\`. [llms.txt](${ADDRESSES.llms}) lists them.

## For deployments

${FOR_DEPLOYMENTS}

\`\`\`sh Start a run over the API
${runCommand(publicUrl)}
\`\`\`

${PLANS} ${isSignUpOpen ? `[Sign up](${SIGN_UP_PATH}) to make an account.` : `Accounts are created by [the operator](${OPERATOR_PATH}) of this service.`}
`,
  };
}
