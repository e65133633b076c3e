import type { ComponentChildren } from 'preact';
import { ErrorSummary } from '../../../web/kit/components/form.js';
import { Mast } from '../../../web/kit/components/mast.js';
import { Pins } from '../../../web/kit/components/pins.js';
import { WAITING_PINS } from '../../../scanner/report/pins.js';
import { FREE, ScanForm } from '../../../web/kit/components/scan-form.js';
import { addressOf } from './addresses.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import { Two } from '../../../web/kit/components/two.js';

export interface FormPageProps {
  readonly site?: string;
  readonly errors?: FieldErrors | null;
  readonly status?: number;
  readonly lead?: ComponentChildren;
}

const LEAD = 'Eighteen checks of what agents find, read, trust and use on it.';

/** The form on its own page: after input that cannot be scanned, or where there is no result to show. */
export function formPage({ site = '', errors = null, status, lead = LEAD }: FormPageProps): Page {
  return {
    title: 'Scan a site',
    ...(status !== undefined && { status }),
    mast: <Mast title="Scan a site" lead={lead} />,
    main: (
      <Two
        rail={
          <section>
            <Pins groups={WAITING_PINS} size="pins-l" isSaid />
            <p class="small soft">Eighteen checks wait. Each failure comes with its fix.</p>
          </section>
        }
      >
        <ErrorSummary errors={errors} />
        <ScanForm action={addressOf.form} hint={FREE} value={site} errors={errors} />
      </Two>
    ),
  };
}
