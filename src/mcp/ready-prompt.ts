import { z } from 'zod';
import { SITE_URL } from './scan-call.js';

/** What a person asks a coding agent for, in one sentence of theirs. */
export const readyPrompt = {
  name: 'make_site_agent_ready',
  config: {
    title: 'Make this site ready for agents',
    description: 'Scans a site, fixes what AI agents stumble over, and proves each fix.',
    argsSchema: z.object({ url: SITE_URL }),
  },
  call: ({ url }: { readonly url: string }) => ({
    messages: [
      {
        role: 'user' as const,
        content: {
          type: 'text' as const,
          text: `Make the site ${url} ready for AI agents.

1. Call fix_plan with this url. It lists what fails, in the order in which to fix it. If it says that the site has no score, tell me why and stop: what fails is not known then.
2. For each step, find in this project what serves it (a file, a template, the server's configuration), and fix just that. Where isWhole is false, explain_check with the step's checkId and errorType has the whole fix. Ask me before you change who may read the site, or what it says of itself. Where a wrong file would do harm, try_fix tells what it would change before it is deployed.
3. When the changes are live, call verify_fix once, with the url and the checkIds of all of them. Where one still fails, read its detail, try again, and call it with what still fails.
4. At the end, say what you changed, what passes now, and what is left for me to do.`,
        },
      },
    ],
  }),
};
