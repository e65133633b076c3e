import { existsSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { BUILD } from './project.js';

/** Returns the functions of src that ran during `action`, by file. What was loaded or ran before does not count. */
export async function watchExecution(action: () => Promise<unknown>): Promise<ReadonlyMap<string, readonly string[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await action();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const src = new URL('src/', BUILD).href;
  const files = result
    .filter(({ url }) => url.startsWith(src))
    .map(({ url, functions }): [string, string[]] => [
      sourceOf(`src/${url.slice(src.length)}`),
      functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => functionName || '(arrow)'),
    ])
    .filter(([, functions]) => functions.length > 0)
    .sort(([one], [other]) => one.localeCompare(other));
  return new Map(files);
}

function sourceOf(compiled: string): string {
  const source = compiled.replace(/\.js$/, '.ts');
  return existsSync(source) ? source : `${source}x`;
}
