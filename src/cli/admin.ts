import type { Admin } from '../app/admin.js';
import { formatJson, formatTable } from './table.js';

/** The services behind the operator's commands. */
export interface AdminServices extends Admin {
  /** The URL of a sign-in link. */
  readonly signInUrl: (token: string) => string;
}

/** Opens the database, lets `work` use the services, and closes it again. */
export type WithAdminServices = <T>(work: (services: AdminServices) => Promise<T>) => Promise<T>;

/** An option of every command except `serve`. */
export const JSON_OPTION = ['--json', 'print one JSON value'] as const;

/** One value as JSON, or as plain text lines. */
export function formatValue(value: unknown, isJson: boolean | undefined, text: readonly string[]): string {
  return isJson ? formatJson(value) : `${text.join('\n')}\n`;
}

/** A list as JSON or as a table; an empty table says that it is empty. */
export function formatList<T>(
  values: readonly T[],
  isJson: boolean | undefined,
  columns: Readonly<Record<string, (value: T) => string>>,
): string {
  if (isJson) return formatJson(values);
  if (values.length === 0) return 'none\n';
  const rows = values.map((value) => Object.values(columns).map((column) => column(value)));
  return formatTable(Object.keys(columns), rows);
}
