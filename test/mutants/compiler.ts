import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import type { Mutation } from './mutations.js';

/** What is not used any more is not a fault of the program. */
const UNUSED = new Set([6133, 6138, 6192, 6196, 6198, 6199, 6205]);

/** Whether the compiler takes a mutant. */
export class Compiler {
  readonly #service: ts.LanguageService;
  #mutant: { readonly file: string; readonly text: string; readonly version: number } | null = null;
  #count = 0;

  /** @param config the path of the project's tsconfig.json */
  constructor(config: string) {
    const { options, fileNames } = ts.parseJsonConfigFileContent(
      ts.readConfigFile(config, ts.sys.readFile).config,
      ts.sys,
      resolve(config, '..'),
    );
    const textOf = (path: string): string =>
      this.#mutant?.file === path ? this.#mutant.text : readFileSync(path, 'utf8');
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => fileNames,
      getScriptVersion: (path) => (this.#mutant?.file === path ? String(this.#mutant.version) : '0'),
      getScriptSnapshot: (path) => (ts.sys.fileExists(path) ? ts.ScriptSnapshot.fromString(textOf(path)) : undefined),
      getCurrentDirectory: () => process.cwd(),
      getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
      fileExists: (path) => ts.sys.fileExists(path),
      readFile: (path) => ts.sys.readFile(path),
      readDirectory: (...asked) => ts.sys.readDirectory(...asked),
      directoryExists: (path) => ts.sys.directoryExists(path),
      getDirectories: (path) => ts.sys.getDirectories(path),
    });
  }

  takes({ file, apply }: Pick<Mutation, 'file' | 'apply'>): boolean {
    const path = resolve(file);
    this.#mutant = { file: path, text: apply(), version: (this.#count += 1) };
    const faults = [...this.#service.getSyntacticDiagnostics(path), ...this.#service.getSemanticDiagnostics(path)];
    return faults.every(({ code }) => UNUSED.has(code));
  }
}
