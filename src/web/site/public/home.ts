import { ADDRESSES } from '../discovery/addresses.js';
import { countOf } from '../../../platform/counts.js';
import { headingId } from '../../kit/components/prose.js';
import { PUBLIC_PAGES } from '../../kit/public-pages.js';
import { CONTACT_HEADING } from './about.js';
import type { Facts } from './facts.js';
import type { PageText } from './page-text.js';
import { groupByPillar } from './pillars.js';

/** The section of the page of checks that says how the score is made. */
export const SCORE_HEADING = 'How the score is made';

export function homeText({ publicUrl, checks }: Facts): PageText {
  const { checks: checksPage, about, api } = PUBLIC_PAGES;
  const groups = groupByPillar(checks);
  const areas = groups.map(
    ({ name, subject, checks: members }) =>
      `- [${name}](${checksPage.path}#${headingId(name)}) (${countOf(members.length, 'check')}). ${subject}`,
  );
  return {
    heading: 'Is your site ready for AI agents?',
    lead: 'See what AI agents can find, read and use on your site, and how to fix the rest.',
    body: `
## What is checked

${countOf(checks.length, 'check')} in ${countOf(groups.length, 'area')}, based on published standards and on what the makers of agents document. Each tells you what was found, why it matters and how to fix it.

${areas.join('\n')}

A check fails only on evidence that you can reproduce and fix. What could not be settled is marked as undetermined, and what does not apply to your site is left out. The [score](${checksPage.path}#${headingId(SCORE_HEADING)}) runs from 0 to 100.

## For agents

Agents can run the same scan over MCP. No key is needed:

\`\`\`json Settings of an MCP client
{
  "mcpServers": {
    "agent-readiness": { "type": "http", "url": "${publicUrl}${ADDRESSES.mcp}" }
  }
}
\`\`\`

This page and most others are also available as Markdown: request them with \`Accept: text/markdown\`. [llms.txt](${ADDRESSES.llms}) lists them.

## With an account

- Every run of your sites is kept, so you see what is new, what is fixed and how the score moves.
- You prove that a site is yours, so runs also test whether it turns away well-known agents by name.
- Your deployments and scripts can start runs and read the results over the [API](${api.path}), on plans that include it:

\`\`\`sh Start a run over the API
curl -X POST -H 'Authorization: Bearer <API_KEY>' ${publicUrl}${ADDRESSES.api}/sites/<SITE_ID>/runs
\`\`\`

Accounts are created by [the operator](${about.path}#${headingId(CONTACT_HEADING)}) of this service.
`,
  };
}
