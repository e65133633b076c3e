import type { JSX } from 'preact';
import type { FieldErrors } from '../../../web/kit/form.js';
import { Field } from '../../../web/kit/components/form.js';

export interface ScanFormProps {
  readonly value?: string;
  readonly errors?: FieldErrors | null;
}

/** The form as a tool of the browser's own agent (WebMCP, draft of 4 September 2026, "Declarative API"). */
const TOOL = {
  toolname: 'scan_site',
  tooldescription: 'Scans a public web site for its readiness for AI agents, and shows the findings.',
};

/** Asks for a free scan. */
export function ScanForm({ value = '', errors = null }: ScanFormProps): JSX.Element {
  return (
    <form method="post" action="/scan" class="scan-form" {...TOOL}>
      <Field
        name="site"
        label="Site"
        hint="A host name such as example.com. Free, no account needed. It takes less than a minute."
        value={value}
        errors={errors}
        inputMode="url"
        autocomplete="url"
        isVerbatim
      />
      <button type="submit">Scan</button>
    </form>
  );
}
