import type { ComponentChildren } from 'preact';
import { ErrorSummary } from '../../../web/kit/components/form.js';
import { ScanForm } from './scan-form.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';

export interface FormPageProps {
  readonly site?: string;
  readonly errors?: FieldErrors | null;
  readonly status?: number;
  readonly lead?: ComponentChildren;
}

/** The form on its own page: after input that cannot be scanned, or where there is no result to show. */
export function formPage({ site = '', errors = null, status, lead }: FormPageProps): Page {
  return {
    title: 'Scan a site',
    ...(status !== undefined && { status }),
    main: (
      <>
        <ErrorSummary errors={errors} />
        <Heading lead={lead}>Scan a site</Heading>
        <ScanForm value={site} errors={errors} />
      </>
    ),
  };
}
