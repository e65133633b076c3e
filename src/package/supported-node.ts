/** What the library imports before anything else, which an older Node would fail to evaluate, at a line that says nothing to anybody. */
import { readFileSync } from 'node:fs';
import { describeOldNode } from '../node-version.js';

const fault = describeOldNode(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { engines: { node: string } },
);
if (fault !== null) throw new Error(fault);
