import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENSE_FILE = /^(license|licence|copying|notice)(\.(md|txt|markdown))?$/i;

/** As SPDX has it: for packages that name it and hold no text. */
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the
above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF
OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;

/**
 * What has to go along with a bundle: of each package in it the name, the version, the license and its text.
 * @param inputs the files that the bundle is made of, relative to the project
 * @throws Error where a package neither holds its license nor names one whose text we know
 */
export function collectLicenses(inputs: readonly string[]): string {
  const folders = inputs.flatMap((path) => /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  return [...new Set(folders)]
    .sort()
    .map(describe)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function describe(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
    readonly author?: string | { readonly name: string };
  };
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .sort()
    .map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
  if (texts.length === 0 && license === 'ISC' && author !== undefined) {
    texts.push(`\nCopyright (c) ${typeof author === 'string' ? author : author.name} and contributors\n\n${ISC}\n`);
  }
  if (license === undefined || texts.length === 0) throw new Error(`${folder} has no license to take along`);
  return `${name} ${version}: ${license}\n${texts.join('')}`;
}
