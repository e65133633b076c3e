import { defineCheck } from '../findings/check.js';
import { describeFailure } from '../evidence/failure.js';
import type { FileFacts } from '../evidence/resource.js';
import { fail, pass } from '../findings/verdict.js';
import { count, listed, term, vocabularyOf, safeText } from '../evidence/safe-text.js';

/** Types that servers mistakenly give Markdown files; the finding names them. */
const OTHER_TYPES = vocabularyOf(
  'text/html',
  'text/x-markdown',
  'application/markdown',
  'application/json',
  'application/octet-stream',
  'application/xml',
  'binary/octet-stream',
);

/**
 * Is `/llms.txt` there, and is it text? C-LLMS-02 judges the format of its body. Source: llmstxt.org; the media types are those
 * of RFC 2046 §4.1.3 and RFC 7763.
 */
export const cLlms01 = defineCheck({
  id: 'C-LLMS-01',
  pillar: 'A',
  scored: true,
  title: 'llms.txt is published',
  explanation:
    'llms.txt is a short Markdown file at the root of a site. It tells AI agents what the site is about and which pages are worth reading, so they need not guess from menus. We ask for /llms.txt and expect status 200 and a text file, not an HTML page.',
  fix: `Put a Markdown file at /llms.txt. A useful start:

# Example Shop

> Hand-made lamps, shipped across Europe.

## Help

- [Delivery](https://www.example.com/delivery): times and costs
- [Returns](https://www.example.com/returns): how to send something back

Serve it to everyone, with status 200 and the Content-Type "text/plain; charset=utf-8" or "text/markdown; charset=utf-8". No login or firewall rule may stand in front of it. If your framework answers unknown addresses with a page of its own, serve the file before that rule. In nginx:

location = /llms.txt { charset utf-8; try_files /llms.txt =404; }`,
  judgedBy: ['llms-txt'],
  errorTypes: ['MISSING', 'WRONG_MIME', 'BLOCKED', 'UNREACHABLE', 'TIMEOUT'],
  needs: ['llms'],
  judge({ llms }) {
    switch (llms.kind) {
      case 'present':
        return judgeFile(llms.value);
      case 'absent':
        return fail('MISSING', describeAbsence(llms.status));
      case 'blocked':
        return fail('BLOCKED', safeText`/llms.txt is refused with status ${llms.status}.`);
      case 'unreachable':
        return fail(
          'UNREACHABLE',
          typeof llms.cause === 'object'
            ? safeText`/llms.txt answers with the server error ${llms.cause.status} on every try.`
            : safeText`/llms.txt fails on every try: ${describeFailure(llms.cause)}.`,
        );
      case 'timeout':
        return fail('TIMEOUT', safeText`/llms.txt gives no answer in time on any try.`);
    }
  },
});

function judgeFile(file: FileFacts) {
  if (file.isHtml) return fail('WRONG_MIME', safeText`/llms.txt answers with an HTML page instead of a text file.`);
  if (file.mediaType === null) {
    return pass(safeText`/llms.txt has no Content-Type; text/plain or text/markdown would be right.`);
  }
  if (file.mediaType !== 'text/plain' && file.mediaType !== 'text/markdown') {
    return fail(
      'WRONG_MIME',
      safeText`/llms.txt is sent as ${listed(file.mediaType, OTHER_TYPES) ?? term('another type')}, not as text/plain or text/markdown.`,
    );
  }
  const { redirectCount } = file;
  return pass(
    redirectCount > 0 ? safeText`${count(redirectCount, 'redirect leads', 'redirects lead')} to /llms.txt.` : null,
  );
}

function describeAbsence(status: number) {
  if (status === 404 || status === 410) return safeText`/llms.txt is missing (status ${status}).`;
  return safeText`/llms.txt answers with status ${status}, like an address that does not exist: there is no such file.`;
}
