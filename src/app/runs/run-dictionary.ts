/**
 * What stands before a body of form 2 when it is compressed (the dictionary of RFC 1950): what most bodies have in common, so that a
 * body need not say it. Stored runs are read with it, so it never changes; a better one makes a form of its own. Texts that the checks
 * have given up by now cost nothing but a worse compression.
 */
export const DICTIONARY_2 = Buffer.from(
  [
    ...['BLOCKED', 'BROKEN_SAMEAS', 'DEAD_LINK', 'ENTITY_INCOMPLETE', 'FORMAT', 'INVALID_MANIFEST', 'MISSING'].map(
      failing,
    ),
    ...['NO_JSONLD', 'NO_NEGOTIATION', 'OVERSIZE', 'POLICY_INCONSISTENT', 'SCHEMA_MISMATCH', 'STRUCTURE'].map(failing),
    ...['TIMEOUT', 'UA_REJECTED', 'UNREACHABLE', 'WK_UNREACHABLE', 'WRONG_MIME'].map(failing),
    'so it could not be checked. is missing (status 404), likewise answers like an address that does not exist. Page 2 (link 1 of ',
    'No sitemap can be read: the sitemap named on line 1 of robots.txt entries that the site advertises: line 6 of llms.txt (closed by line 4)',
    'The home page cannot be read: the server refuses the connection or cannot be reached. Check that the server is up and that no ',
    "firewall drops this scanner's requests, then run again. The home page answers this scanner with a bot challenge instead of the page.",
    ...open('C-LLMS', [
      'There is no llms.txt that can be read as Markdown (see C-LLMS-01).',
      'There is no sitemap that can be read (see C-SITE-01), so there are no entries to check.',
      'The home page is empty or is not HTML, so there is no page to check.',
      'The site states no access policy: it has no robots.txt, Content-Signal, X-Robots-Tag or robots meta element.',
      'There is no robots.txt (status 404), so every agent may fetch everything.',
      'No page that was read has a schema.org item in JSON-LD (see C-SD-01).',
      'No identity on the home page has a sameAs link.',
      'No MCP server is announced under /.well-known/.',
      'No A2A agent is announced: there is no agent card.',
      'No API is announced: there is no API catalog and no OAuth metadata.',
      '3 pages were asked for Markdown. None answered with it. None links to a Markdown version either.',
      'Neither robots.txt nor the home page declares a preference: no Content-Signal, Content-Usage, TDM reservation or RSL license.',
    ]),
    '"trigger":"POST_DEPLOY","trigger":"MANUAL","trigger":"API","score":null,{"site":{"id":"site_","hostname":"www.',
    '"},"run":{"number":1,"reference":"CR-000001","score":100,"trigger":"SCHEDULED","startedAt":"2026-12-01T00:00:00.000Z",',
    '"finishedAt":"2026-12-01T00:00:00.000Z"},"findings":[',
    passing('C-LLMS-01', 'A', null),
    passing('C-LLMS-02', 'A', 'The H1 is on line 1; the file has 3 links.'),
    passing('C-LLMS-03', 'A', "No link is dead. Checked: 3 of 3 links to the site's own domain."),
    passing('C-LLMS-04', 'A', 'The file has 266 characters.'),
    passing('C-SITE-01', 'A', 'Line 5 of robots.txt names an XML sitemap with 4 entries.'),
    passing('C-SITE-02', 'A', '4 entries read. 4 of 4 checked pages answer.'),
    passing('C-BOT-01', 'B', 'All 6 AI search and user agents may fetch the home page.'),
    passing('C-BOT-02', 'B', null),
    passing(
      'C-BOT-03',
      'B',
      'The home page is served under the names of OAI-SearchBot, ChatGPT-User, PerplexityBot and Claude-User. So are pages 2, 3 and 4 ' +
        'under each name that was tried there.',
    ),
    passing('C-SD-01', 'C', '4 schema.org items in JSON-LD, on 2 of 4 pages read.'),
    passing('C-SD-02', 'C', '4 schema.org items match the vocabulary and the page.'),
    passing('C-SD-03', 'C', 'Home page, block 1: the Organization that says who is behind the site is complete.'),
    passing(
      'C-SD-04',
      'C',
      '1 sameAs link answers. Checked: 1 of 2 sameAs links. Left out: 1 on social networks that turn programs away.',
    ),
    passing('C-WK-01', 'D', '/.well-known/mcp/server-card.json is valid; remote 1 answers.'),
    passing('C-WK-02', 'D', '/.well-known/agent-card.json is valid; interface 1 answers.'),
    passing('C-WK-03', 'D', '/.well-known/api-catalog is valid; service-desc 1 of linkset entry 1 is there.'),
    passing('C-MD-01', 'D', '3 of 3 pages answer in Markdown when asked.'),
    '{"checkId":"C-FWD-01","pillar":null,"scored":false,"result":"PASS","errorType":null,"detail":"A preference is declared with ',
    'Content-Signal. Also seen: robots.txt groups that close the site to GPTBot and CCBot.",',
  ].join(''),
);

function failing(errorType: string): string {
  return `"result":"FAIL","errorType":"${errorType}","detail":"`;
}

function open(checkId: string, details: readonly string[]): string[] {
  const undetermined = `{"checkId":"${checkId}","pillar":"A","scored":true,"result":"UNDETERMINED","errorType":null,"detail":"`;
  return [undetermined, ...details.map((detail) => `"result":"NOT_APPLICABLE","errorType":null,"detail":"${detail}",`)];
}

function passing(checkId: string, pillar: string, detail: string | null): string {
  return `{"checkId":"${checkId}","pillar":"${pillar}","scored":true,"result":"PASS","errorType":null,"detail":${JSON.stringify(detail)},},`;
}
