import type { EvidenceKind } from '../../artifacts/evidence.js';
import type { Failures } from '../../verdict/failure.js';
import { openFile } from '../fixes/servers/open-file.js';
import { serveFile } from '../fixes/servers/serve-file.js';
import { LLMS_TXT } from '../fixes/snippets.js';

const SERVED = serveFile('/llms.txt', 'text/plain; charset=utf-8');

/** What is read of the file. */
const LLMS: readonly EvidenceKind[] = ['llmsDocument', 'llmsLinks'];

export const cLlms01Failures = {
  MISSING: {
    severity: 'MISSING',
    headline: 'There is no llms.txt',
    fix: `Publish a Markdown file at /llms.txt: the name of your site as its heading, a sentence on what it is about, and links to the pages worth reading.

${LLMS_TXT}

If you cannot put it at the root, put it into the folder of the pages that it covers. Announce it in the <head> of your pages: agents that begin at a page find it that way, and a file in a folder is found only so:

<link rel="describedby" href="/llms.txt">

${SERVED}`,
    onFixed: { asFixed: LLMS },
  },
  WRONG_MIME: {
    severity: 'BROKEN',
    headline: 'llms.txt is not sent as a text file',
    fix: `Let the server send /llms.txt as a file of its own, with the Content-Type "text/plain; charset=utf-8", before your application answers with a page.

"text/markdown; charset=utf-8" is right, too. See what is sent:

curl -sI https://www.example.com/llms.txt

${SERVED}`,
    onFixed: { unknown: LLMS },
  },
  BLOCKED: {
    severity: 'SHUT_OUT',
    headline: 'llms.txt is refused',
    fix: `Let everybody fetch /llms.txt: take it out of the login, firewall or bot rule that refuses it.

See what is answered:

curl -sI https://www.example.com/llms.txt

${openFile('/llms.txt')}`,
    onFixed: { unknown: LLMS },
  },
  UNREACHABLE: {
    severity: 'BROKEN',
    headline: 'llms.txt fails with a server error or a broken connection',
    fix: `Let the web server send /llms.txt as a file, so that an error of your application cannot reach it; if a program must write it, look up the error in its log.

${SERVED}`,
    onFixed: { unknown: LLMS },
  },
  TIMEOUT: {
    severity: 'BROKEN',
    headline: 'llms.txt gives no answer in time',
    fix: `Let the web server send /llms.txt as a file, without waiting for your application or a database, and let no firewall hold the request back.

${SERVED}`,
    onFixed: { unknown: LLMS },
  },
} as const satisfies Failures;
