import { jsonLdOf } from './json-ld.js';
import type { Block, DemoPage } from './pages.js';
import { PAGES, SITE_NAME } from './pages.js';

const NOTE =
  'This is the demonstration site of Agent Readiness Scan. The bakery is invented; everything that an agent looks for is real.';

/** A page as Markdown: what an agent gets that asks for it. */
export function renderMarkdown({ title, summary, blocks }: DemoPage): string {
  return [`# ${title}`, `> ${summary}`, ...blocks.map(markdownOf), `---`, NOTE].join('\n\n') + '\n';
}

/** A page as HTML, with its structured data in the served source. */
export function renderHtml(page: DemoPage, origin: string): string {
  const { path, title, summary, blocks } = page;
  return document(
    `${title}${path === '/' ? '' : ` – ${SITE_NAME}`}`,
    `<meta name="description" content="${escapeHtml(summary)}">
<link rel="canonical" href="${origin}${path}">
<script type="application/ld+json">
${JSON.stringify(jsonLdOf(page, origin), null, 2).replaceAll('<', '\\u003c')}
</script>`,
    `<h1>${escapeHtml(title)}</h1>
<p class="summary">${escapeHtml(summary)}</p>
${blocks.map(htmlOf).join('\n')}`,
  );
}

export function renderNotFound(): string {
  return document(
    `Not found – ${SITE_NAME}`,
    '<meta name="robots" content="noindex">',
    '<h1>Not found</h1>\n<p>There is no page here. The menu leads to those there are.</p>',
  );
}

function document(title: string, head: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" type="image/svg+xml" href="/logo.svg">
${head}
</head>
<body>
<header>
<img src="/logo.svg" alt="" width="40" height="40">
<nav>${PAGES.map(({ path, label }) => `<a href="${path}">${escapeHtml(label)}</a>`).join(' ')}</nav>
</header>
<main>
${main}
</main>
<footer><p>${escapeHtml(NOTE)}</p></footer>
</body>
</html>
`;
}

function markdownOf(block: Block): string {
  if (block.kind === 'heading') return `## ${block.text}`;
  return block.kind === 'paragraph' ? block.text : block.items.map((item) => `- ${item}`).join('\n');
}

function htmlOf(block: Block): string {
  if (block.kind === 'heading') return `<h2>${escapeHtml(block.text)}</h2>`;
  if (block.kind === 'paragraph') return `<p>${escapeHtml(block.text)}</p>`;
  return `<ul>\n${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('\n')}\n</ul>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
