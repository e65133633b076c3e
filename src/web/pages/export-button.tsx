import type { JSX } from 'preact';
import { ActionButton } from '../html/form.js';

export function ExportButton(): JSX.Element {
  return (
    <ActionButton action="/account/export" kind="quiet" icon="down">
      Export my data
    </ActionButton>
  );
}
