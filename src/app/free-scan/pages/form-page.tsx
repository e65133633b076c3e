import type { ComponentChildren } from 'preact';
import { ErrorPage, type Way } from '../../../web/kit/components/error-page.js';
import { ErrorSummary } from '../../../web/kit/components/form.js';
import { Lock } from '../../../web/kit/components/lock.js';
import { FREE, ScanForm } from '../../../web/kit/components/scan-form.js';
import { WAITING_PINS } from '../../../scanner/report/pins.js';
import { addressOf } from './addresses.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import { PUBLIC_PAGES, SAMPLE_PATH } from '../../../web/kit/public-pages.js';

export interface FormPageProps {
  readonly site?: string;
  readonly errors?: FieldErrors | null;
  readonly status?: number;
  readonly title?: ComponentChildren;
  readonly isLong?: boolean;
  readonly lead?: string;
}

const LEAD = 'Eighteen checks of what agents find, read, trust and use on it. Each failure comes with its fix.';

const WAYS: readonly Way[] = [
  [PUBLIC_PAGES.checks.path, 'The checks', 'What each one looks at'],
  [PUBLIC_PAGES.accuracy.path, 'Accuracy', 'How often they are right'],
  [SAMPLE_PATH, 'A sample report', 'What a result looks like'],
];

/** The form on its own page: after input that cannot be scanned, or where there is no result to show. */
export function formPage(props: FormPageProps): Page {
  const { site = '', errors = null, status, title = 'Scan a site', isLong = false, lead = LEAD } = props;
  const { '': message } = errors ?? {};
  return {
    title: 'Scan a site',
    ...(status !== undefined && { status }),
    mast: null,
    main: (
      <ErrorPage {...{ title, isLong, lead }} ways={WAYS} picture={<Lock groups={WAITING_PINS} isCatalog />}>
        {/* What is wrong with the only field stands below it. */}
        {message !== undefined && <ErrorSummary errors={{ '': message }} />}
        <ScanForm action={addressOf.form} hint={FREE} value={site} errors={errors} />
      </ErrorPage>
    ),
  };
}
