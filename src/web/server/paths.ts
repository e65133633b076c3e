import { SCANNER_INFO_PATH } from '../../scanner/artifacts/scanner.js';
import { PRODUCT, type RouteDeps } from './page.js';

/** A path and its label. */
export type Link = readonly [path: string, label: string];

/** Paths of the free scan. */
export const SCAN_PATHS = {
  form: '/scan',
  result: (hostname: string) => `/scan/${encodeURIComponent(hostname)}`,
  forAgents: (hostname: string) => `/scan/${encodeURIComponent(hostname)}/agent`,
  markdown: (hostname: string) => `/scan/${encodeURIComponent(hostname)}/markdown`,
};

/** Paths of published badges and reports. */
export const PUBLIC_PATHS = {
  badge: (token: string) => `/badges/${token}.svg`,
  report: (token: string) => `/reports/${token}`,
  reportMarkdown: (token: string) => `/reports/${token}/markdown`,
};

export const SIGN_UP_PATH = '/sign-up';
export const FORGOT_PASSWORD_PATH = '/forgot-password';

/** Returns a visitor's link to get an account; null if there is none. @param next page to show once signed in */
export function accountLink(
  { isSignUpOpen, contact }: Pick<RouteDeps, 'isSignUpOpen' | 'contact'>,
  next: string,
): Link | null {
  if (isSignUpOpen) return [withNext(SIGN_UP_PATH, next), 'Sign up'];
  return contact === null ? null : [OPERATOR_PATH, 'Ask for an account'];
}

/** @param next page to show once signed in; empty for the list of sites */
export function withNext(path: string, next: string): string {
  return next === '' ? path : `${path}?next=${encodeURIComponent(next)}`;
}

/** Paths of a site's pages. */
export const addressOf = {
  addMany: '/sites/import',
  verifyMany: '/sites/verify',
  site: (siteId: string) => `/sites/${siteId}`,
  verify: (siteId: string) => `/sites/${siteId}/verify`,
  settings: (siteId: string) => `/sites/${siteId}/settings`,
  pages: (siteId: string) => `/sites/${siteId}/settings/pages`,
  platform: (siteId: string) => `/sites/${siteId}/platform`,
  tags: (siteId: string) => `/sites/${siteId}/tags`,
  remove: (siteId: string) => `/sites/${siteId}/remove`,
  automation: (siteId: string) => `/sites/${siteId}/automation`,
  schedule: (siteId: string) => `/sites/${siteId}/automation/schedule`,
  hook: (siteId: string) => `/sites/${siteId}/automation/hook`,
  removeHook: (siteId: string) => `/sites/${siteId}/automation/hook/remove`,
  badge: (siteId: string) => `/sites/${siteId}/automation/badge`,
  removeBadge: (siteId: string) => `/sites/${siteId}/automation/badge/remove`,
  publish: (siteId: string) => `/sites/${siteId}/sharing`,
  withdraw: (siteId: string) => `/sites/${siteId}/sharing/remove`,
  runs: (siteId: string, before?: number) => `/sites/${siteId}/runs${before === undefined ? '' : `?before=${before}`}`,
  run: (siteId: string, number: number) => `/sites/${siteId}/runs/${number}`,
  runForAgents: (siteId: string, number: number) => `/sites/${siteId}/runs/${number}/agent`,
  evidence: (siteId: string, number: number, checkId: string) => `${addressOf.run(siteId, number)}/checks/${checkId}`,
  evidenceFile: (siteId: string, number: number) => `${addressOf.run(siteId, number)}/evidence.har`,
  recheck: (siteId: string, checkId: string) => `/sites/${siteId}/checks/${checkId}`,
  compare: (siteId: string) => `/sites/${siteId}/compare`,
  comparison: (siteId: string, from: number, to: number) => `/sites/${siteId}/compare?from=${from}&to=${to}`,
};

/** A public page. Navigation, sitemap, llms.txt and structured data all use this list. */
export interface PublicPage {
  readonly path: string;
  /** Text of its link in the navigation. */
  readonly label: string;
  readonly title: string;
  /** Summary for search engines and agents. */
  readonly description: string;
  /** Where the link is shown; null for the home page, which the logo links to. `visitors`: in the header, but in the footer for members. */
  readonly menu: 'main' | 'visitors' | 'footer' | null;
}

export const PUBLIC_PAGES = {
  home: {
    path: '/',
    label: 'Home',
    title: PRODUCT,
    description: 'Finds out whether AI agents can find, read, trust and use a website, and says how to fix what fails.',
    menu: null,
  },
  checks: {
    path: '/checks',
    label: 'Checks',
    title: 'The checks',
    description:
      'Every check: what it examines, why it matters, how to fix a failure, and how the score is calculated.',
    menu: 'main',
  },
  api: {
    path: '/docs/api',
    label: 'API reference',
    title: 'API reference',
    description:
      'Start agent-readiness runs and read their findings over HTTP: every operation, parameter, response and schema.',
    menu: 'main',
  },
  accuracy: {
    path: '/accuracy',
    label: 'Accuracy',
    title: 'Accuracy',
    description: 'How often each check is right on labelled sites and files, with every mistake.',
    menu: 'visitors',
  },
  about: {
    path: SCANNER_INFO_PATH,
    label: 'About the scanner',
    title: 'About the scanner',
    description: 'The scanner’s User-Agent, what it requests, how to block it, and how to contact us.',
    menu: 'footer',
  },
  privacy: {
    path: '/privacy',
    label: 'Privacy',
    title: 'Privacy',
    description: 'What this service stores, for how long, and what it does not: no trackers, no third parties.',
    menu: 'footer',
  },
} as const satisfies Readonly<Record<string, PublicPage>>;

/** Returns the path of a page as Markdown (llms.txt v2: `page.md`, `index.md`). */
export function markdownPathOf({ path }: PublicPage): string {
  return path === PUBLIC_PAGES.home.path ? '/index.md' : `${path}.md`;
}

/** How to contact the operator. */
export const OPERATOR_PATH = `${PUBLIC_PAGES.about.path}#contact`;

/** All public pages, in order. */
export const PUBLIC_PAGE_LIST: readonly PublicPage[] = Object.values(PUBLIC_PAGES);

/** Paths for programs. */
export const ADDRESSES = {
  llms: '/llms.txt',
  llmsFull: '/llms-full.txt',
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  securityTxt: '/.well-known/security.txt',
  apiCatalog: '/.well-known/api-catalog',
  ard: '/.well-known/ard.json',
  serverCard: '/.well-known/mcp/server-card.json',
  /** SEP-2127 reserves this path; earlier clients read the card at the path above. */
  serverCardAtEndpoint: '/mcp/server-card',
  mcpManifest: '/.well-known/mcp.json',
  skills: '/.well-known/agent-skills/index.json',
  skill: '/.well-known/agent-skills/make-site-agent-ready/SKILL.md',
  mcp: '/mcp',
  api: '/api/v1',
  openApi: '/api/v1/openapi.json',
} as const;

export const TYPES = {
  text: 'text/plain; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  xml: 'application/xml',
  json: 'application/json',
  serverCard: 'application/mcp-server-card+json',
  /** RFC 9264 §4.2, with the profile of RFC 9727 §4.2. */
  linkset: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
} as const;

/** Returns the link to a check on the page of all checks. */
export function checkHref(checkId: string): string {
  return `/checks#${checkAnchor(checkId)}`;
}

export function failureHref(checkId: string, errorType: string): string {
  return `/checks/${checkId}/${errorType}`;
}

/** Returns the HTML id of a check on the page of all checks. */
export function checkAnchor(checkId: string): string {
  return checkId.toLowerCase();
}
