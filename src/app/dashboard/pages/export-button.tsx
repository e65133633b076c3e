import type { JSX } from 'preact';
import { ActionButton } from '../../../web/kit/components/form.js';

export function ExportButton(): JSX.Element {
  return (
    <ActionButton action="/account/export" kind="quiet" icon="down">
      Export my data
    </ActionButton>
  );
}
