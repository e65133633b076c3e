import { createHash } from 'node:crypto';
import { ADDRESSES } from '../server/agent-paths.js';
import { PROGRAM } from '../../scanner/report/program.js';

const NAME = 'make-site-agent-ready';
const DESCRIPTION =
  'Makes a web site ready for AI agents: finds what agents stumble over (robots.txt, llms.txt, sitemap, structured data, MCP and other machine endpoints), fixes it in the order that matters, and proves each fix. Use it when someone asks to make a site agent-ready, readable for AI agents, or to raise its agent readiness score.';

/** SKILL.md: how an agent works with this service (agentskills.io, "Specification"). */
export function formatSkill(publicUrl: string): string {
  return `---
name: ${NAME}
description: ${DESCRIPTION}
---

# Make a site ready for AI agents

Work with the MCP server at ${publicUrl}${ADDRESSES.mcp}, which needs no key, or with the command \`${PROGRAM}\` where it is installed.

## Steps

1. **Plan.** Call \`fix_plan\` with the site's url, or run \`${PROGRAM} scan <url> --format agent\`. It lists what fails, in the order in which to fix it: what shuts agents out, what is broken, what is missing, what is left to polish. If it says that the site has no score, say why and stop: what fails is not known then.
2. **Fix one thing after the other.** Find in the project what serves it: a file, a template, the configuration of server or CDN. Follow the step's fix; it names what its snippets are for. Where \`isWhole\` is false, \`explain_check\` with the step's checkId and errorType has all of it. Ask before you change who may read the site (robots.txt, firewall rules) or what it says of itself (llms.txt, JSON-LD), and never invent names, prices or addresses.
3. **Prove what is live together.** Once the changes are live, call \`verify_fix\` once, with the url and the checkIds of all of them, or run \`${PROGRAM} scan <url> --only <checkId>,<checkId>\`. Where one still fails, read its detail: it says what was seen and where. Fix that, and call again with what still fails.
4. **Report.** Say what you changed, what passes now, and what is left for the owner to do.

## Good to know

- Before a file is deployed (llms.txt, robots.txt, a sitemap, a document of .well-known), \`try_fix\` with its path, contentType and body tells which checks would change. It costs one scan and stores nothing: use it where a wrong file would do harm.
- Ten scans an hour for each host, and for each network: a \`verify_fix\` is one, however many checkIds it has. \`fix_plan\` reuses a scan of the past hour, and \`explain_check\` makes none. A refusal says in \`retryAfterS\` how many seconds to wait.
- "Could not be determined" is not a failure: the site was slow, down, or refused the scanner. Try again later.
- \`explain_check\` says what a check asks for and why. What each check means is also at ${publicUrl}/checks.
`;
}

/** The index of skills (Agent Skills Discovery 0.2.0). */
export function skillIndex(publicUrl: string): object {
  const digest = createHash('sha256').update(formatSkill(publicUrl)).digest('hex');
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      { name: NAME, type: 'skill-md', description: DESCRIPTION, url: ADDRESSES.skill, digest: `sha256:${digest}` },
    ],
  };
}
