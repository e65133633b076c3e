import type { CHECKS } from '../checks/index.js';

/** What is true of a site that passes a check, for findings that say nothing of their own. */
const ANSWERS: Readonly<Record<(typeof CHECKS)[number]['id'], string>> = {
  'C-LLMS-01': 'An llms.txt is there, and it is a text file.',
  'C-LLMS-02': 'llms.txt is Markdown that begins with a title.',
  'C-LLMS-03': 'The links of llms.txt to the site itself lead to pages that are there.',
  'C-LLMS-04': 'llms.txt is short enough to be read in one go.',
  'C-SITE-01': 'A sitemap is there, and it can be read.',
  'C-SITE-02': 'The pages that the sitemap lists answer.',
  'C-BOT-01': 'robots.txt lets AI search and user agents in.',
  'C-BOT-02': 'No two statements of the site about access contradict each other.',
  'C-BOT-03': 'The server answers the agents that robots.txt lets in.',
  'C-SD-01': 'JSON-LD is in the HTML as it is served, and it parses.',
  'C-SD-02': 'The JSON-LD matches schema.org and what the page shows.',
  'C-SD-03': 'The JSON-LD says who is behind the site.',
  'C-SD-04': 'The sameAs links lead to pages that are there.',
  'C-WK-01': 'The MCP server that the site names answers.',
  'C-WK-02': 'The agent card is valid, and the agent answers.',
  'C-WK-03': 'The API catalog and what it names are valid.',
  'C-MD-01': 'Pages answer in Markdown when they are asked for it.',
  'C-FWD-01': 'The site says how AI may use its content.',
};

/** The question of a check, answered by a site that passes it. */
export function answerOf(checkId: string): string {
  return (ANSWERS as Readonly<Record<string, string | undefined>>)[checkId] ?? 'The check passed.';
}
