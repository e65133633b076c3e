/** Must be imported first, so that an older Node fails with a clear message. */
import { readFileSync } from 'node:fs';
import { describeOldNode } from '../node-version.js';

const fault = describeOldNode(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { engines: { node: string } },
);
if (fault !== null) throw new Error(fault);
