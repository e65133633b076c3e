import { defineCheck } from '../domain/check.js';
import { describeFailure } from '../domain/evidence/failure.js';
import type { FileFacts } from '../domain/evidence/resource.js';
import { fail, pass } from '../domain/verdict.js';
import { count, listed, term, words } from '../domain/words.js';

/** Types that servers give a Markdown file by mistake, for the finding to name. */
const OTHER_TYPES: ReadonlySet<string> = new Set([
  'text/html',
  'text/x-markdown',
  'application/markdown',
  'application/json',
  'application/octet-stream',
  'application/xml',
  'binary/octet-stream',
]);

/**
 * Is `/llms.txt` there, and is it text? Its body's format is C-LLMS-02's question.
 * Source: llmstxt.org; the media types are those of RFC 2046 §4.1.3 and RFC 7763.
 */
export const cLlms01 = defineCheck({
  id: 'C-LLMS-01',
  pillar: 'A',
  scored: true,
  title: 'llms.txt is published',
  explanation:
    'llms.txt is a short Markdown file at the root of your site. It tells AI agents what the site is about and which pages are worth reading, so that they need not guess from menus and page furniture. We fetch /llms.txt with a plain GET and expect a 200 answer whose body is text, not an HTML page.',
  fix: `Put a Markdown file at /llms.txt and serve it as text. A useful start:

# Your company or product

> One sentence that says what it is and for whom.

## Docs

- [Getting started](https://www.example.com/start): from sign-up to the first result
- [Pricing](https://www.example.com/pricing): plans and limits

Send it with "Content-Type: text/plain; charset=utf-8" (or text/markdown). If your framework answers unknown paths with its HTML page, add a rule for this path before the catch-all. If a firewall or a login stands in front of it, let GET /llms.txt through for everyone.`,
  errorTypes: ['MISSING', 'WRONG_MIME', 'BLOCKED', 'UNREACHABLE', 'TIMEOUT'],
  needs: ['llms'],
  judge({ llms }) {
    switch (llms.kind) {
      case 'present':
        return judgeFile(llms.value);
      case 'absent':
        return fail('MISSING', describeAbsence(llms.status));
      case 'blocked':
        return fail('BLOCKED', words`/llms.txt is refused with status ${llms.status}.`);
      case 'unreachable':
        return fail(
          'UNREACHABLE',
          typeof llms.cause === 'object'
            ? words`/llms.txt answers with the server error ${llms.cause.status} on every try.`
            : words`/llms.txt fails on every try: ${describeFailure(llms.cause)}.`,
        );
      case 'timeout':
        return fail('TIMEOUT', words`/llms.txt gives no answer in time on any try.`);
    }
  },
});

function judgeFile(file: FileFacts) {
  if (file.isHtml) return fail('WRONG_MIME', words`/llms.txt answers with an HTML page instead of a text file.`);
  if (file.mediaType === null) {
    return pass(words`/llms.txt has no Content-Type; text/plain or text/markdown would be right.`);
  }
  if (file.mediaType !== 'text/plain' && file.mediaType !== 'text/markdown') {
    return fail(
      'WRONG_MIME',
      words`/llms.txt is sent as ${listed(file.mediaType, OTHER_TYPES) ?? term('another type')}, not as text/plain or text/markdown.`,
    );
  }
  const { redirectCount } = file;
  return pass(
    redirectCount > 0 ? words`${count(redirectCount, 'redirect leads', 'redirects lead')} to /llms.txt.` : null,
  );
}

function describeAbsence(status: number) {
  if (status >= 400) return words`/llms.txt answers with status ${status}.`;
  return words`/llms.txt answers with status ${status}, but just like a made-up address: there is no such file.`;
}
