import { Option } from 'commander';
import type { Check } from '../scanner/verdict/check.js';
import { namedFailures } from '../scanner/verdict/failure.js';
import { escapeMarkdown, formatFailure } from '../scanner/report/markdown.js';
import { nameStandard } from '../scanner/verdict/standards.js';
import { PILLARS } from '../scanner/verdict/vocabulary.js';
import type { AddCommand, LoadChecks, Display, Output } from './command.js';
import { describeCheck } from './describe-check.js';
import { formatJson, formatMarkdownTable, wrap } from './table.js';

type Format = 'table' | 'json' | 'markdown';

export function addChecksCommand(loadChecks: LoadChecks, output: Output): AddCommand {
  return (program, runAction) => {
    program
      .command('checks')
      .description(
        'list the checks: ids, pillars, titles, explanations, failures with their fixes, revisions and standards',
      )
      .addOption(
        new Option('--format <format>', 'the output format').choices(['table', 'json', 'markdown']).default('table'),
      )
      .option('--json', 'the same as --format json')
      .action((options: { format: Format; json?: true }) =>
        runAction(async () => {
          output.data(formatChecks(await loadChecks(), options.json ? 'json' : options.format, output.display));
        }),
      );
  };
}

function formatChecks(checks: readonly Check[], format: Format, { columns }: Display): string {
  if (format === 'json') return formatJson(checks.map(describeCheck));
  if (format === 'table') return checks.map((check) => formatCheck(check, columns)).join('\n');
  const header = ['id', 'pillar', 'title', 'error types', 'revision', 'judged by'];
  const rows = checks.map((check) => [
    check.id,
    check.pillar ? `${check.pillar} ${PILLARS[check.pillar]}` : 'forward-looking, not scored',
    check.title,
    check.errorTypes.join(', '),
    String(check.revision),
    check.judgedBy.map(nameStandard).join(', '),
  ]);
  return formatMarkdown(checks, formatMarkdownTable(header, rows));
}

function formatCheck({ id, pillar, title, errorTypes, revision, judgedBy }: Check, columns: number): string {
  const indent = ' '.repeat(11);
  const group = pillar ? `${pillar} ${PILLARS[pillar]}` : 'forward-looking, not scored';
  const parts = [
    title,
    `${group}; revision ${revision}`,
    `fails with ${errorTypes.join(', ')}`,
    `judged by ${judgedBy.map(nameStandard).join(', ')}`,
  ];
  const lines = parts.flatMap((text) => wrap(text, columns - indent.length));
  return lines.map((line, index) => `${index === 0 ? id.padEnd(indent.length) : indent}${line}\n`).join('');
}

function formatMarkdown(checks: readonly Check[], table: string): string {
  const sections = checks.map(
    ({ id, title, explanation, failures }) =>
      `${[
        `## ${id}: ${escapeMarkdown(title)}`,
        escapeMarkdown(explanation),
        ...namedFailures({ failures }).map((failure) => formatFailure(failure, '###')),
      ].join('\n\n')}\n`,
  );
  return [table, ...sections].join('\n');
}

/** OpenAPI versions that can be printed. The API serves the first. */
const VERSIONS = ['3.1', '3.0'] as const;
export type OasVersion = (typeof VERSIONS)[number];

/** Adds `openapi`, which prints the stored document unchanged. */
export function addOpenapiCommand(readDocument: (oas: OasVersion) => Promise<string>, output: Output): AddCommand {
  return (program, runAction) => {
    program
      .command('openapi')
      .description('print the OpenAPI document of the API')
      .addOption(new Option('--oas <version>', 'the version of OpenAPI').choices(VERSIONS).default(VERSIONS[0]))
      .option('--json', 'has no effect: the document is always JSON')
      .action(({ oas }: { oas: OasVersion }) =>
        runAction(async () => {
          output.data(await readDocument(oas));
        }),
      );
  };
}
