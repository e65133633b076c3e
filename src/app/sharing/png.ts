import { Worker } from 'node:worker_threads';

/** With the fonts, the program that draws and a picture of 1200 × 630 it takes about 60 MiB. */
const WORKER_MIB_MAX = 256;

/**
 * Makes a PNG of an SVG document that is ours. Each gets its own thread: it takes most of a second, in which the service continues
 * answering, and what it takes of memory is gone afterwards. The queue draws one after another.
 */
export function renderPng(svg: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('png-worker.js', import.meta.url), {
      ...{ workerData: svg, env: {} },
      resourceLimits: { maxOldGenerationSizeMb: WORKER_MIB_MAX },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The painter ended without a picture.')));
  });
}
