import { join } from 'node:path';
import { renderToString } from 'preact-render-to-string';
import { SHEET } from '../../src/web/site/components/sheet.js';
import { PROJECT } from './project.js';

export const COMPONENTS_PATH = join(PROJECT, 'test', 'web', 'kit', 'golden', 'components.html');

/** The markup of every component in its states, with a line for each element, so that a difference is read. */
export function formatComponents(): string {
  const parts = SHEET.map(
    ({ id, content }) => `<!-- ${id} -->\n${renderToString(content()).replaceAll('><', '>\n<')}\n`,
  );
  return parts.join('\n');
}
