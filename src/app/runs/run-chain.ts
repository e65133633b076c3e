import type { Transaction } from '../../store/transaction.js';
import { BODY_LINKS, type LinkedBodyRow, SUPPLEMENT_LINKS } from './chain-statements.js';
import { Chain, type LinkProof } from './chain.js';
import { matchesBody } from './run-columns.js';
import { formatLabel, labelOfRow } from './run-label.js';
import type { Supplement } from './run-statements.js';
import type { RunTexts } from './run-texts.js';

/** Of the runs as they are served. */
export const RUN_CHAIN = new Chain({
  ...BODY_LINKS,
  format: 'agent-readiness run chain 1',
  contentOf: readWhole,
  isConsistent: (siteId, row, { content, epochs }) => matchesBody(siteId, row, { whole: content, epochs }),
});

/** Of what is kept next to them: for runs that were stored since there is this chain. */
export const SUPPLEMENT_CHAIN = new Chain({
  ...SUPPLEMENT_LINKS,
  format: 'agent-readiness supplement chain 1',
  *contentOf(row) {
    return formatSupplement({ ...row, label: formatLabel(labelOfRow(row)) });
  },
});

/** What the chains say of a run, and of what is kept next to it. */
export interface RunProof {
  readonly run: LinkProof;
  readonly supplement: LinkProof;
}

export function* proveRun(siteId: string, number: number, texts: RunTexts): Transaction<RunProof> {
  const run = yield* RUN_CHAIN.prove(siteId, number, texts);
  return { run, supplement: yield* SUPPLEMENT_CHAIN.prove(siteId, number, texts) };
}

/** Null for a body whose texts are missing or changed. */
function* readWhole({ body }: LinkedBodyRow, texts: RunTexts): Transaction<Uint8Array | null> {
  try {
    return yield* texts.unpackWithin(body);
  } catch {
    return null;
  }
}

interface ToLink extends Supplement {
  /** See {@link formatLabel}. */
  readonly label: string | null;
}

/** A line for each part that there is. Null where one has a line feed, which none is stored with: two contents could be written alike. */
export function formatSupplement({ release, notes, gains, label, pages }: ToLink): Uint8Array | null {
  const parts = Object.entries({ release, notes, gains, label, pages }).filter(([, text]) => text !== null);
  if (parts.some(([, text]) => text?.includes('\n'))) return null;
  return Buffer.from(parts.map(([name, text]) => `${name} ${text}\n`).join(''));
}
