import { TRIED_TOKENS } from '../../../artifacts/agents/tokens.js';
import { onServers } from './blocks.js';

const ADMITTED = TRIED_TOKENS.join('|');
/** Crawlers that collect for training: keeping them out is the owner's right, so the snippets do. */
const KEPT_OUT = 'GPTBot|CCBot|Bytespider';

const CLOUDFLARE = `In AI Crawl Control, allow the agents that the finding names. Since September 2026 it blocks the categories Agent and Training on pages with ads unless you choose otherwise, and blocking Training also blocks Googlebot, Bingbot and Applebot. Check "Block AI bots" and Bot Fight Mode in Security > Settings, and look for a rule on the User-Agent in Security > Security rules: each of these blocks an agent whatever robots.txt allows.`;
const VERCEL = `Vercel: in the project's Firewall, set the AI bots ruleset of Bot Management to off, and look for a custom rule on the User-Agent. Netlify: look for an Edge Function or a firewall rule that reads it.`;
const WORDPRESS = `Look in your security plugin for blocked bots or user agents (in Wordfence: Blocking), and ask your host if its firewall blocks AI bots.`;

/** Lets each server refuse crawlers by their names without refusing the agents that answer people. */
export function admitAgents(): string {
  return onServers({
    nginx: `# in http; the first match counts
map $http_user_agent $is_refused {
  default 0;
  "~*(${ADMITTED})" 0;
  "~*(${KEPT_OUT})" 1;
}
# in server
if ($is_refused) { return 403; }`,
    Apache: `# .htaccess in the web root; the last match counts
SetEnvIfNoCase User-Agent "${KEPT_OUT}" is_refused
SetEnvIfNoCase User-Agent "${ADMITTED}" !is_refused
<RequireAll>
  Require all granted
  Require not env is_refused
</RequireAll>`,
    Caddy: `# in the site's block
@refused {
  header_regexp User-Agent (?i)(${KEPT_OUT})
  not header_regexp User-Agent (?i)(${ADMITTED})
}
respond @refused 403`,
    Cloudflare: CLOUDFLARE,
    'Vercel and Netlify': VERCEL,
    WordPress: WORDPRESS,
  });
}

/** Lets each server slow crawlers down without keeping the agents that answer people waiting. */
export function exemptAgents(): string {
  return onServers({
    nginx: `# in http; who has an empty key is not limited
map $http_user_agent $limited {
  default "";
  "~*(${ADMITTED})" "";
  "~*(${KEPT_OUT})" $binary_remote_addr;
}
limit_req_zone $limited zone=bots:1m rate=30r/m;
# in server
limit_req zone=bots burst=5 nodelay;
limit_req_status 429;`,
    Cloudflare: CLOUDFLARE,
    'Vercel and Netlify': VERCEL,
    WordPress: WORDPRESS,
  });
}
