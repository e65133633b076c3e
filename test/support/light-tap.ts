/**
 * Loaded before each test file: tap without its record of which test every promise and timer belongs to, which costs as much as the tests
 * themselves. All that it serves is an error that nobody catches. Such an error now ends the process, and so fails the file.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const { createHook } = asyncHooks;
const idle: AsyncHook = { enable: () => idle, disable: () => idle };

// A thread of the program is started the same way, and its parent would hear tap as well.
if (isMainThread) {
  setCreateHook(() => idle);
  await import('tap');
  setCreateHook(createHook);
}

function setCreateHook(value: typeof createHook): void {
  asyncHooks.createHook = value;
  syncBuiltinESMExports();
}
