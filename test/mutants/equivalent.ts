import type { Mutation } from './mutations.js';

/** A mutation that no test can see, by the line before and after it, and the reason. */
export type Equivalent = Pick<Mutation, 'file' | 'from' | 'to'> & { readonly why: string };

interface Argued {
  readonly file: string;
  /** The line as it is. */
  readonly from: string;
  /** The same line after each mutation that the argument is about. */
  readonly to: readonly string[];
  readonly why: string;
}

/** `equivalent.test.ts` sees to it that each is still a mutation of the source. */
const ARGUED: readonly Argued[] = [
  {
    file: 'src/app/automation/deploy-hooks.ts',
    from: 'number === null || trigger === null || finished_at === null',
    to: [
      'number === null && trigger === null || finished_at === null',
      'number === null || trigger === null && finished_at === null',
      'number === null || trigger === null',
      'number === null || finished_at === null',
      'trigger === null || finished_at === null',
      'finished_at === null',
    ],
    why: 'The three are columns of one joined row that may not be null: there is a run, or there is none.',
  },
  {
    file: 'src/scanner/parsers/json.ts',
    from: 'for (let left = valuesMax; left > 0; left -= 1) {',
    to: ['for (let left = valuesMax; left >= 0; left -= 1) {', 'for (let left = valuesMax; left > 1; left -= 1) {'],
    why: 'How many values are read between two looks at the time; the next call reads on.',
  },
  {
    file: 'src/app/automation/schedule-statements.ts',
    from: 'export const PLANNED_AT_ONCE = 500;',
    to: ['export const PLANNED_AT_ONCE = 501;'],
    why: 'How many a transaction takes; the next one takes the others.',
  },
  {
    file: 'src/net/post.ts',
    from: 'const limits = { headersMs: deadlineMs, connectionsPerOrigin: 1, wireBytesMax: WIRE_BYTES_MAX };',
    to: ['const limits = { headersMs: deadlineMs, connectionsPerOrigin: 2, wireBytesMax: WIRE_BYTES_MAX };'],
    why: 'One request is made over it, so that one connection is opened however many may be.',
  },
  {
    file: 'src/scanner/trace/mask.ts',
    from: 'hasEnd = last !== null;',
    to: [';'],
    why: 'Whether an end is looked for once more: the rest of a text without one has none either, and looking costs time alone.',
  },
  {
    file: 'src/store/retry.ts',
    from: 'if (!isBusy(error) || tries === BUSY_TRIES_MAX || performance.now() > giveUpMs) throw error;',
    to: ['if (!isBusy(error) || tries === BUSY_TRIES_MAX || performance.now() >= giveUpMs) throw error;'],
    why: 'The clock counts parts of a millisecond: that it shows this very moment is left to chance.',
  },
];

export const EQUIVALENTS: readonly Equivalent[] = ARGUED.flatMap(({ to, ...argued }) =>
  to.map((line) => ({ ...argued, to: line })),
);

export function isEquivalent({ file, from, to }: Mutation): boolean {
  return EQUIVALENTS.some((known) => known.file === file && known.from === from && known.to === to);
}
