import { readFile } from 'node:fs/promises';
import { InputError } from '../platform/input-error.js';
import { parseJson } from './parse-json.js';
import type { ScanOptions } from './scan-options.js';

/** Read where nothing else is named. */
export const SCAN_CONFIG = 'agent-readiness.json';

type Taken = Partial<Pick<ScanOptions, 'page' | 'skip' | 'failUnder' | 'failOn'>> & { readonly url?: string };

const FORM = '{"url": text, "pages": [paths], "skip": [ids], "failUnder": number, "failOn": [ids]}';

/**
 * What the configuration file says, in the words of the command line. It comes with the source of a site, perhaps from a stranger's pull
 * request: nothing in it opens a private network or sends a header.
 * @param file null: {@link SCAN_CONFIG}, if there is one
 * @throws InputError
 */
export async function readScanFile(file: string | null): Promise<Taken> {
  const path = file ?? SCAN_CONFIG;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (file === null && (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new InputError(`--config: ${path} cannot be read. Give a file of the form ${FORM}.`);
  });
  if (text === null) return {};
  const { z } = await import('zod');
  const ids = z.array(z.string()).transform((list) => list.join(','));
  const form = z.strictObject({
    url: z.string().optional(),
    pages: z.array(z.string()).optional(),
    skip: ids.optional(),
    failUnder: z.number().transform(String).optional(),
    failOn: ids.optional(),
  });
  const read = form.safeParse(parseJson(text));
  if (!read.success) throw new InputError(`--config: ${path} is not of the form ${FORM}; each part may be left out.`);
  const { pages: page, ...rest } = read.data;
  return Object.fromEntries(Object.entries({ ...rest, page }).filter(([, value]) => value !== undefined));
}

/** @throws InputError as `parse` does, with the name of the file where a part of it may be to blame */
export function parseWithFile<Parsed>(taken: object, file: string | undefined, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    const parts = Object.keys(taken).map((part) => (part === 'page' ? 'pages' : part));
    if (!(error instanceof InputError) || parts.length === 0) throw error;
    throw new InputError(`${error.message} ${file ?? SCAN_CONFIG} counts too: it has ${parts.join(', ')}.`);
  }
}
