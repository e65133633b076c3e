import { join } from 'node:path';
import { PROJECT } from '../support/project.js';

export const ACCURACY_PAGE = join(PROJECT, 'docs', 'accuracy.md');

const OTHERS_HEADING = '## Independent cases';
const DIFFER_HEADING = '## Where we differ';

/** docs/accuracy.md, made of the two tables. */
export function formatPage(own: string, others: string): string {
  return `# Accuracy

How often each check is right, measured on labelled cases.

${OTHERS_HEADING}

${others}

These are public files of sites and test suites, which we may not publish: robots.txt and llms.txt files, sitemaps, pages with JSON-LD, documents below
\`/.well-known/\`, and whole small sites. Their labels come from the suites’ own expectations, from other parsers that agree, and from the text of the
standards; rows on which these disagree are left out. \`robots.txt\` counts single decisions, by agent and URL, which all robots checks use.

- **right**: the same result as the label and, for a failure, the same error type.
- **false alarms**: a FAIL where the label has no defect. **missed**: a PASS where it has one.
- **undetermined**: the check could not decide, although the label does.
- **other**: another error type, or a PASS where the label says NOT_APPLICABLE, or the reverse.

${DIFFER_HEADING}

We think that our verdict is right in these cases:

- Four robots.txt rows disallow /robots.txt itself, which no rule can (RFC 9309 §2.2.2). One label applies the first matching rule instead of the longest
  (§2.2.2). One names an agent with its version, but only the name is the product token (§2.2.1).
- Two llms.txt files have links with an empty address, which lead nowhere.
- One agent card names an interface at localhost, which only agents on the owner’s machine can reach.
- One OAuth server without a token endpoint passes: nothing on the site names its document, so we do not judge it.

## Our own cases

These are [whole sites](../test/fixtures/README.md) with a label for every finding, and [single cases](../test/corpus/README.md). We wrote them, and the
tests use them, so they only show that no verdict has changed by accident.

${own}

The label of a case is written from the text of the standard, before the scanner runs on it. The labels of a whole site are the scanner’s own findings,
checked line by line against the site, so they prove less. If a label turns out to be wrong, the history of its file says why it was changed.

## How this page is made

\`make accuracy\` writes this page, and \`make test\` fails if the second table is out of date. \`make accuracy CORPUS=folder\` makes the first table from a
folder in the form that \`test/accuracy/folder-rows.ts\` reads. The service shows the page at \`/accuracy\`, without this section.
`;
}

/** The first table of the page as it stands. */
export function othersOf(page: string): string {
  const part = page.split(OTHERS_HEADING)[1]?.split(DIFFER_HEADING)[0] ?? '';
  return (part.match(/^\|.*$/gm) ?? []).join('\n');
}
