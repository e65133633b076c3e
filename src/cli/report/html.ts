import MarkdownIt from 'markdown-it';
import { escapeMarkdown } from '../../scanner/report/markdown.js';
import { describeScore, formatTime, nameScan, type Report } from './document.js';
import { describeInBlocks, type Style } from './markdown.js';

/** Readable in both themes, on paper and without colours. */
const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2, h3 { font-size: 1.2rem; margin-top: 2rem }
pre { overflow-x: auto; padding: .75rem; border: 1px solid; border-radius: .25rem }
table { border-collapse: collapse; width: 100%; overflow-wrap: anywhere }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem .25rem 0; border-bottom: 1px solid }
`;

const PAGE: Style = {
  heading: '#',
  escape: escapeMarkdown,
  section: (summary, body) => `## ${summary}\n\n${body}`,
  fix: (fix) => `How to fix it:\n\n${fix}`,
};

const markdown = new MarkdownIt('commonmark', { html: false }).enable('table');

/** Formats the report as one HTML file that loads no resources and runs no scripts. */
export function formatAsHtml(report: Report): string {
  const title = `Agent readiness of ${nameScan(report.document)}: ${describeScore(report)}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${markdown.utils.escapeHtml(title)}</title>
<style>${STYLE}</style>
<main>
${markdown.render([...describeInBlocks(report, PAGE), `Scanned on ${escapeMarkdown(formatTime(report.document.run.startedAt))}.`].join('\n\n'))}</main>
</html>
`;
}
