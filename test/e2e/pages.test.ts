import { testPages } from './pages.js';

/** One state of each layout. The wide test opens every state, at more widths and in more themes. */
testPages({
  widths: [320, 1280],
  only: new Set([
    ...['home', 'free-scan', 'checks', 'sign-in-refused', 'sites', 'add-many', 'site', 'run-in-progress', 'run'],
    ...['compare', 'automation', 'key-created'],
  ]),
});
