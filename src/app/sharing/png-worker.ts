import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** The thread that `png.ts` starts for one picture. Static fonts, since resvg draws no variable weights; none of the system's. */
const fonts = [400, 600, 700].map((weight) => {
  const file = new URL(`../../web/kit/assets/hanken-grotesk-${weight}.ttf`, import.meta.url);
  return new Uint8Array(readFileSync(file));
});
await initWasm(readFileSync(new URL(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));
const resvg = new Resvg(workerData as string, { font: { fontBuffers: fonts, loadSystemFonts: false } });
parentPort?.postMessage(resvg.render().asPng());
