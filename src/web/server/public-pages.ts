import { SCANNER_INFO_PATH } from '../../scanner/artifacts/scanner.js';
import { PRODUCT } from './page.js';

/** A public page. The navigation, the sitemap, llms.txt and the structured data all read this list; there is no other. */
export interface PublicPage {
  readonly path: string;
  /** In the navigation. */
  readonly label: string;
  readonly title: string;
  /** What is found there, for search engines and agents. */
  readonly description: string;
  /** Where the navigation has it; null where the product's name leads there. `visitors` have it at the top, members at the foot. */
  readonly menu: 'main' | 'visitors' | 'footer' | null;
}

export const PUBLIC_PAGES = {
  home: {
    path: '/',
    label: 'Home',
    title: PRODUCT,
    description:
      'Finds out whether AI agents can find, read, trust and use a web site, and says how to fix what fails.',
    menu: null,
  },
  checks: {
    path: '/checks',
    label: 'Checks',
    title: 'The checks',
    description: 'Every check: what it examines, why it matters, how to fix a failure, and how the score is made.',
    menu: 'main',
  },
  api: {
    path: '/docs/api',
    label: 'API reference',
    title: 'API reference',
    description:
      'Start agent-readiness runs and read their findings over HTTP: every operation, parameter, answer and schema.',
    menu: 'main',
  },
  accuracy: {
    path: '/accuracy',
    label: 'Accuracy',
    title: 'Accuracy',
    description: 'How often each check is right on sites and files that were labelled before, its mistakes among them.',
    menu: 'visitors',
  },
  about: {
    path: SCANNER_INFO_PATH,
    label: 'About the scanner',
    title: 'About the scanner',
    description: 'How the scanner names itself, what it asks a site for, how to keep it out, and whom to write to.',
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

/** The sample report. It is about no real site, so no list has it. */
export const SAMPLE_PATH = '/sample';

/** How to contact the operator. */
export const OPERATOR_PATH = `${PUBLIC_PAGES.about.path}#contact`;

/** All public pages, in order. */
export const PUBLIC_PAGE_LIST: readonly PublicPage[] = Object.values(PUBLIC_PAGES);
