import { found } from '../../artifacts/evidence.js';
import type { Failures, Repair } from '../../verdict/failure.js';
import { serveFile } from '../fixes/servers/serve-file.js';
import { ADMITTED_AGENTS, BARRED_TRAINING, OPEN_ROBOTS } from '../fixes/snippets.js';

const SERVED = serveFile('/robots.txt', 'text/plain; charset=utf-8');

/** No rules admit everybody. The replies to agents that were shut out are not known. */
const WITHOUT_RULES: Repair = {
  evidence: { robots: found({ kind: 'absent', status: 404 }) },
  unknown: ['agentReplies'],
};

export const cBot01Failures = {
  BLOCKED: {
    severity: 'SHUT_OUT',
    headline: 'robots.txt shuts AI agents out',
    fix: `Open robots.txt at the lines that the finding names: remove a rule against these agents or, where it is meant for all others ("*"), give them a group of their own.

Such a group replaces the one for "*", so repeat in it what should stay closed:

${ADMITTED_AGENTS}

You may still keep training crawlers out:

${BARRED_TRAINING}

On Cloudflare:

In AI Crawl Control, see if Cloudflare manages your robots.txt: it then puts rules of its own before yours. Switch that off if they name these agents.

In WordPress:

WordPress answers for robots.txt unless a file of that name lies next to wp-config.php. Change the rules in your SEO plugin, or upload the file.`,
    onFixed: WITHOUT_RULES,
  },
  UNREACHABLE: {
    severity: 'SHUT_OUT',
    headline: 'robots.txt fails, so crawlers stay away',
    fix: `Make /robots.txt answer with status 200 and your rules, or with 404 if you have none: a server error or a broken connection keeps crawlers out of the whole site.

As a file in the web root it answers even where your application fails:

${OPEN_ROBOTS}

${SERVED}`,
    onFixed: WITHOUT_RULES,
  },
  TIMEOUT: {
    severity: 'SHUT_OUT',
    headline: 'robots.txt gives no answer in time, so crawlers stay away',
    fix: `Let the web server send /robots.txt as a file, without waiting for your application or a database, and let no firewall hold the request back.

Put these rules, or your own, into the web root:

${OPEN_ROBOTS}

${SERVED}`,
    onFixed: WITHOUT_RULES,
  },
  WRONG_MIME: {
    severity: 'BROKEN',
    headline: 'robots.txt answers with an HTML page',
    fix: `Put a text file named robots.txt into the web root, and let the server send it before your application answers with a page. Without rules, let the address answer 404.

${OPEN_ROBOTS}

${SERVED}`,
    onFixed: WITHOUT_RULES,
  },
  OVERSIZE: {
    severity: 'BROKEN',
    headline: 'robots.txt is longer than crawlers read',
    fix: `Shorten robots.txt to less than 512,000 bytes: write one rule for a folder in place of one for each page in it. Crawlers may ignore the rest.

User-agent: *
Disallow: /account/
Disallow: /*?sort=

A rule holds for every address that begins with it; "*" stands for any text, and "$" for the end. Pages that only search engines should leave out are better marked with noindex.`,
    onFixed: WITHOUT_RULES,
  },
} as const satisfies Failures;
