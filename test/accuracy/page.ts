import { join } from 'node:path';
import { PROJECT } from '../support/project.js';

export const ACCURACY_PAGE = join(PROJECT, 'docs', 'accuracy.md');

const OTHERS_HEADING = '## Independent cases';
const DIFFER_HEADING = '## Where we differ';

/** docs/accuracy.md, made of the two tables. */
export function formatPage(own: string, others: string): string {
  return `# Accuracy

How often each check is right, on cases that others have labelled.

${OTHERS_HEADING}

${others}

Public files of sites and test suites, which we may not publish: robots.txt and llms.txt files, sitemaps, pages with JSON-LD, documents below
\`/.well-known/\`, and whole small sites. Their labels come from the suites’ own expectations, from other parsers that agree, and from the text of the
standards; rows on which these disagree are left out. \`robots.txt\` stands for single decisions, by agent and URL, on which all robots checks rest.

- **right**: as the case is labelled: the same result and, for a failure, the same error type.
- **false alarms**: it reports a defect where there is none. **missed**: it passes where there is one.
- **undetermined**: it could not tell, where the label can.
- **other**: another error type, or a pass where the check does not apply, or the reverse.

${DIFFER_HEADING}

And why we hold to it:

- Four robots.txt rows close /robots.txt itself, which no rule can (RFC 9309 §2.2.2). One decides by the first rule that matches, not by the longest
  (§2.2.2). One asks for an agent by its name with a version, of which the name alone is the product token (§2.2.1).
- Two llms.txt files have links with an empty address: nobody can follow them.
- One agent card names an interface at localhost: no agent but those on the owner’s machine can reach it.
- One OAuth server without a token endpoint passes: its document is named by nothing that the site offers, and we do not judge it.

## Our own cases

[Whole sites](../test/fixtures/README.md) that we made for this, with a label for every finding, and [single cases](../test/corpus/README.md). They show
that nothing has moved. The project is tested on them, so anything but a full score would be a known fault.

${own}

A case is written with its label, from the text of the standard, before the scanner is run on it. The labels of a whole site are what the scanner
found, read line by line against the site by whoever changed it: they prove less than the cases do. Where a label turned out to be wrong, the history of
its file says why it was changed.

## How this page is made

\`make accuracy\` writes this page; \`make test\` fails when the second table is no longer true. \`make accuracy CORPUS=folder\` judges a folder of
the form that \`test/accuracy/folder-rows.ts\` reads, for the first. The service shows the page at \`/accuracy\`, without this section.
`;
}

/** The first table of the page as it stands. */
export function othersOf(page: string): string {
  const part = page.split(OTHERS_HEADING)[1]?.split(DIFFER_HEADING)[0] ?? '';
  return (part.match(/^\|.*$/gm) ?? []).join('\n');
}
