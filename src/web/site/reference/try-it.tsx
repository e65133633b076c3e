import type { JSX } from 'preact';
import { Icon } from '../../kit/components/icons.js';
import { Field } from '../../kit/components/form.js';
import type { Operation } from './api-document.js';

/** The key with which the forms of the operations call the API. */
export function KeyForm(): JSX.Element {
  return (
    <section id="try-it" aria-labelledby="try-it-name">
      <h2 id="try-it-name">Try it</h2>
      <p>
        Each operation has a form that calls this API. Its calls are real: they count against the quota of the key, and
        a run that you start is kept. A site’s id is in the address of its page.
      </p>
      <noscript>
        <p>The forms need JavaScript. Without it, the curl lines do the same from a terminal.</p>
      </noscript>
      <form hidden data-key>
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
    </section>
  );
}

/** Calls one operation from the page (api-reference.js); hidden without script. */
export function TryIt({ operation }: { readonly operation: Operation }): JSX.Element {
  const { operationId, method, path, summary, parameters } = operation;
  return (
    <details class="fold" hidden data-try-fold>
      <summary>
        Try it<span class="hide">: {operationId}</span>
        <Icon name="right" />
      </summary>
      <form class="try" aria-label={`Try it: ${summary}`} data-try={path} data-method={method}>
        {parameters
          .filter((parameter) => parameter.in === 'path')
          .map(({ name }) => (
            <Field key={name} name={`${operationId}-${name}`} label={name} autocomplete="off" isVerbatim />
          ))}
        <button type="submit">Send</button>
        <p role="status"></p>
        <pre hidden tabIndex={0} aria-label={`Answer of ${operationId}`}></pre>
      </form>
    </details>
  );
}
