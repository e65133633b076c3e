import { CHECKS } from '../../src/scanner/checks/index.js';
import { namedFailures } from '../../src/scanner/verdict/failure.js';
import { type Server, splitFix } from '../../src/scanner/verdict/fix-parts.js';

/** What a fix says for one server, with the failures whose fixes say it. */
export interface Block {
  readonly server: Server;
  readonly text: string;
  readonly failures: string[];
}

/** The snippets of all fixes for one server, each once. */
export function blocksFor(server: Server): Block[] {
  const blocks = new Map<string, Block>();
  for (const check of CHECKS) {
    for (const { errorType, fix } of namedFailures(check)) {
      const parts = splitFix(fix);
      const at = parts.findIndex(({ kind, text }) => kind === 'server' && text === server);
      const text = at < 0 ? undefined : parts[at + 1]?.text;
      if (text === undefined) continue;
      const block = blocks.get(text) ?? { server, text, failures: [] };
      block.failures.push(`${check.id} ${errorType}`);
      blocks.set(text, block);
    }
  }
  return [...blocks.values()];
}
