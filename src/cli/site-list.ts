import { createReadStream } from 'node:fs';
import { countOf } from '../platform/counts.js';
import { decodeText } from '../platform/decode-text.js';
import { InputError } from '../platform/input-error.js';
import { countStates, type LineState, LIST_BYTES_MAX, type ListLine } from '../app/sites/site-list.js';
import { formatList, type WithAdminServices } from './admin.js';
import { EXIT, type ExitCode, type Output } from './command.js';

/** What a line of the answer calls what came of a line of the list. */
const WORDS: Readonly<Record<LineState, string>> = {
  new: 'can be added',
  late: 'not looked up',
  added: 'added',
  had: 'already there',
  twice: 'twice',
  refused: 'refused',
  over: 'no room',
};

interface ListAsked {
  readonly account: string;
  /** `-` is standard input. */
  readonly file: string;
  /** Whether nothing is to be added. */
  readonly isDry: boolean;
  readonly json: boolean | undefined;
}

/**
 * `site add --file`: adds the sites of a list, all in one transaction, and prints what came of each line.
 * @returns 2 where a line was refused, or its name not looked up in time, or there is no room for it
 */
export async function addSiteList(
  { account, file, isDry, json }: ListAsked,
  withAdmin: WithAdminServices,
  output: Output,
): Promise<ExitCode> {
  const text = await readText(file);
  const lines = await withAdmin(async ({ siteLists }) => {
    const seen = await siteLists.look(account, text);
    return isDry ? seen : siteLists.add(account, seen);
  });
  output.data(
    formatList<ListLine>(lines, json, {
      line: ({ line }) => String(line),
      state: ({ state }) => WORDS[state],
      site: ({ hostname, given }) => hostname ?? given,
      id: ({ siteId }) => siteId ?? '',
      why: ({ state, why }) => why ?? (state === 'over' ? 'The plan of the account has room for no more.' : ''),
    }),
  );
  const counts = countStates(lines);
  const bad = counts.refused + counts.late + counts.over;
  const done = isDry ? `${countOf(counts.new, 'site')} can be added` : `${countOf(counts.added, 'site')} added`;
  if (bad > 0) {
    output.note(
      `${done}; ${countOf(bad, 'line')} of ${lines.length} cannot be: see "refused", "not looked up" and "no room".`,
    );
  } else if (json !== true) output.note(`${done}.`);
  return bad === 0 ? EXIT.ok : EXIT.usage;
}

/** @throws InputError for what cannot be read, or is too long */
async function readText(file: string): Promise<string> {
  const stream: AsyncIterable<Buffer> = file === '-' ? process.stdin : createReadStream(file);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > LIST_BYTES_MAX) break;
    }
  } catch (cause) {
    throw new InputError(`--file: ${file} cannot be read: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}.`);
  }
  if (bytes > LIST_BYTES_MAX) throw new InputError('--file: the list is longer than a megabyte. Split it.');
  return decodeText(Buffer.concat(chunks));
}
