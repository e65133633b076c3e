/** Serves hostile kinds for a scanner in another process, so that their work is not measured with the scanner's. */
import { ALL_KINDS, GOOD_KIND } from './kinds.js';
import type { HostileHost } from './host.js';

const hosts = new Map<number, HostileHost>();

/** @param name of the kind to start; null ends the one with this id */
async function serve(id: number, name: string | null): Promise<void> {
  if (name === null) return hosts.get(id)?.close();
  const host = await [...ALL_KINDS, GOOD_KIND].find((kind) => kind.name === name)?.start();
  if (!host) throw new Error(`there is no kind ${name}`);
  hosts.set(id, host);
  process.send?.({ id, place: host });
}

process.on('message', ({ id, name }: { readonly id: number; readonly name: string | null }) => void serve(id, name));
process.on('disconnect', () => process.exit());
