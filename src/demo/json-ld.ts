import type { DemoPage } from './pages.js';
import { CHANGED_ON, QUESTIONS, SITE_NAME, SITE_SUMMARY } from './pages.js';

type Node = Readonly<Record<string, unknown>>;

/** What a page says of itself in schema.org's vocabulary. */
export function jsonLdOf(page: DemoPage, origin: string): Node {
  return { '@context': 'https://schema.org', '@graph': nodesOf(page, origin) };
}

function nodesOf(page: DemoPage, origin: string): readonly Node[] {
  switch (page.path) {
    case '/':
      return [organization(origin), webSite(origin)];
    case '/guide':
      return [article(page, origin), breadcrumbs(page, origin)];
    case '/faq':
      return [faq(), breadcrumbs(page, origin)];
    default:
      return [{ '@type': 'AboutPage', name: page.title, url: origin + page.path }, breadcrumbs(page, origin)];
  }
}

function organization(origin: string): Node {
  return {
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
    name: SITE_NAME,
    url: `${origin}/`,
    logo: `${origin}/logo.svg`,
    description: SITE_SUMMARY,
  };
}

function webSite(origin: string): Node {
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name: SITE_NAME,
    url: `${origin}/`,
    publisher: { '@id': `${origin}/#organization` },
  };
}

function article({ title, summary, path }: DemoPage, origin: string): Node {
  return {
    '@type': 'Article',
    headline: title,
    description: summary,
    url: origin + path,
    datePublished: CHANGED_ON,
    dateModified: CHANGED_ON,
    author: { '@type': 'Organization', name: SITE_NAME, url: `${origin}/` },
  };
}

function faq(): Node {
  return {
    '@type': 'FAQPage',
    mainEntity: QUESTIONS.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}

function breadcrumbs({ label, path }: DemoPage, origin: string): Node {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: 'Home', item: `${origin}/` },
      { '@type': 'ListItem', position: 2, name: label, item: origin + path },
    ],
  };
}
