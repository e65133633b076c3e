import { readProject } from '../support/project.js';

/** A block of code of docs/clients.md: commands (`sh`), or a file that the line above it names. */
export interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

/** A generator, as the table of the page has it: the one place that says which version, and why that. */
export interface Generator {
  readonly name: string;
  readonly version: string;
  /** Whether its clients read an answer that names a check which their document does not have. */
  readonly readsUnknownCheck: boolean;
}

/** What the page tells everybody to begin with, and its sections with code by their headings. */
export function readPage(): { readonly start: readonly Block[]; readonly sections: ReadonlyMap<string, Block[]> } {
  const [top = '', ...sections] = readProject('docs/clients.md').split(/^## /m);
  const blocks = sections.map((section) => [section.slice(0, section.indexOf('\n')), blocksOf(section)] as const);
  return { start: blocksOf(top), sections: new Map(blocks.filter(([, { length }]) => length > 0)) };
}

export function listGenerators(): Generator[] {
  const rows = readProject('docs/clients.md').matchAll(/^\| \w.*? \| (\S+) +\| (\S+) +\| (read|refused)\b/gm);
  return [...rows].map(([, name = '', version = '', unknown]) => ({
    ...{ name, version },
    readsUnknownCheck: unknown === 'read',
  }));
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/(?:^`([^`\n]+)`[^\n]*:\n\n)?^```(\w+)\n(.*?)^```$/gms)].map(
    ([, file, language = '', text = '']) => ({ language, file, text }),
  );
}
