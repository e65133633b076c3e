import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const OPTIONS: ts.CompilerOptions = { declaration: true, isolatedDeclarations: true, target: ts.ScriptTarget.ES2022 };

/**
 * Writes the declarations of a module, and of what they name: each from its file alone, so that those who install them need no other
 * package.
 * @param entry a file in `src`
 * @param out the folder that takes the place of `src`
 * @throws Error where a declaration cannot be written from its file alone, or names another package
 */
export function writeDeclarations(entry: string, out: string): void {
  const written = new Set<string>();
  const write = (file: string): void => {
    if (written.has(file)) return;
    written.add(file);
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
      ...{ fileName: file, compilerOptions: OPTIONS, reportDiagnostics: true },
    });
    for (const { messageText } of diagnostics) {
      throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
    }
    const target = join(out, relative('src', file)).replace(/\.ts$/, '.d.ts');
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
    for (const [, name = ''] of outputText.matchAll(/\bfrom ['"]([^'"]+)['"]/g)) {
      if (!name.startsWith('.')) throw new Error(`${file}: its declarations name the package ${name}`);
      write(relative('.', resolve(dirname(file), name)).replace(/\.js$/, '.ts'));
    }
  };
  write(entry);
}
