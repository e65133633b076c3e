import { readFile } from 'node:fs/promises';
import { InputError } from '../platform/errors.js';
import { parseJsonOrNull } from './files.js';
import type { ScanFormat } from './public-types.js';

export interface ScanOptions {
  readonly format: ScanFormat;
  readonly json?: true;
  readonly save?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly trace?: true;
  readonly page?: readonly string[];
  readonly compare?: string;
  readonly label?: string;
  readonly only?: string;
  readonly skip?: string;
  readonly fix?: string;
  readonly fixes?: true;
  readonly onlyFailures?: true;
  readonly overlay?: string;
  readonly as?: string;
  readonly local?: true;
  readonly header?: readonly string[];
  readonly basic?: string;
  readonly quiet?: true;
  readonly color?: boolean;
  readonly config?: string;
  readonly failUnder?: string;
  readonly failOn?: string;
}

type OptionName = keyof ScanOptions;

const CONFLICTS: readonly (readonly [names: readonly OptionName[], others: readonly OptionName[], reason: string])[] = [
  [['config'], ['replay'], '--replay reads no configuration file: leave --config out, and use options instead.'],
  [['page'], ['replay'], '--replay reads the pages of its recording: leave --page out.'],
  [['record'], ['replay'], '--record cannot be combined with --replay.'],
  [['as'], ['record', 'replay'], '--as cannot be combined with --record or --replay.'],
  [['local', 'header', 'basic'], ['replay'], '--replay cannot be combined with --local, --header or --basic.'],
  [['only', 'skip'], ['record', 'replay'], '--only and --skip cannot be combined with --record or --replay.'],
];

const NOT_WITH_OVERLAY = ['record', 'replay', 'compare', 'only', 'skip'] as const;

/** @throws InputError for options that exclude each other */
export function refuseConflicts(options: ScanOptions): void {
  const isSet = (name: OptionName): boolean => options[name] !== undefined;
  for (const [names, others, reason] of CONFLICTS) {
    if (names.some(isSet) && others.some(isSet)) throw new InputError(reason);
  }
  const others = NOT_WITH_OVERLAY.filter(isSet);
  if (options.overlay !== undefined && others.length > 0) {
    throw new InputError(`--overlay compares the whole site with itself: leave --${others.join(' and --')} out.`);
  }
}

const SCAN_CONFIG = 'agent-readiness.json';

type FileOptions = Partial<Pick<ScanOptions, 'page' | 'skip' | 'failUnder' | 'failOn'>> & { readonly url?: string };

const FORM = '{"url": text, "pages": [paths], "skip": [ids], "failUnder": number, "failOn": [ids]}';

/**
 * Reads options from the configuration file. It comes with the source of a site, perhaps in a pull request from outside, so it must
 * not allow private addresses or send a header.
 * @param file null for {@link SCAN_CONFIG}, if it exists
 * @throws InputError
 */
export async function readScanFile(file: string | null): Promise<FileOptions> {
  const path = file ?? SCAN_CONFIG;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (file === null && (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new InputError(`--config: ${path} cannot be read. Name a file of the form ${FORM}.`);
  });
  if (text === null) return {};
  const { z } = await import('zod');
  const ids = z.array(z.string()).transform((list) => list.join(','));
  const form = z
    .strictObject({
      url: z.string(),
      pages: z.array(z.string()),
      skip: ids,
      failUnder: z.number().transform(String),
      failOn: ids,
    })
    .partial();
  const read = form.safeParse(parseJsonOrNull(text));
  if (!read.success) throw new InputError(`--config: ${path} is not of the form ${FORM}; each part may be left out.`);
  const { pages: page, ...rest } = read.data;
  return Object.fromEntries(Object.entries({ ...rest, page }).filter(([, value]) => value !== undefined));
}

/** Calls `parse`, and adds the configuration file to its errors, since the wrong option may come from there. */
export function parseWithFile<Parsed>(fromFile: object, file: string | undefined, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    const parts = Object.keys(fromFile).map((part) => (part === 'page' ? 'pages' : part));
    if (!(error instanceof InputError) || parts.length === 0) throw error;
    throw new InputError(`${error.message} Options were also read from ${file ?? SCAN_CONFIG}: ${parts.join(', ')}.`);
  }
}
