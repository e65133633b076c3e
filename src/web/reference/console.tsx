import type { JSX } from 'preact';
import { Field } from '../components/form.js';
import type { Assets } from '../assets.js';
import { CONSOLE_SCRIPT, CONSOLE_STYLE } from './assets.js';

/**
 * Where the component that calls the API goes (Swagger UI). Its files are large, so the page's script fetches them when the
 * section comes into view; the key stays in the page, and cookies are not sent.
 */
export function Console(props: { readonly assets: Assets; readonly documentPath: string }): JSX.Element {
  const { assets, documentPath } = props;
  return (
    <section id="try-it" aria-labelledby="try-it-name">
      <h2 id="try-it-name">Try it</h2>
      <p>
        Calls from here are real ones: they count against the quota of the key, and a run that you start stays. The site
        id is in the address of the site's page.
      </p>
      <noscript>
        <p>The console needs JavaScript. Without it, the curl lines below do the same from a terminal.</p>
      </noscript>
      <form hidden data-console-key>
        <Field
          name="api-key"
          label="API key"
          type="password"
          hint="It stays in this page, goes to this API alone, and is forgotten when you leave."
          autocomplete="off"
          required={false}
          isVerbatim
        />
      </form>
      <p role="status" data-console-status></p>
      <div
        id="api-console"
        data-document={documentPath}
        data-script={assets.urlOf(CONSOLE_SCRIPT)}
        data-style={assets.urlOf(CONSOLE_STYLE)}
      ></div>
    </section>
  );
}
