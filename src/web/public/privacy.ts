import { readFileSync } from 'node:fs';
import { LINK_LIFE_MS } from '../../app/accounts/links.js';
import { SESSION_IDLE_MS, SESSION_LIFE_MS } from '../../app/accounts/sessions.js';
import { DELIVERY_LOG_DAYS } from '../../app/alerts/deliveries.js';
import { EVENT_DAYS } from '../../app/audit/audit.js';
import { KEY_USAGE_MONTHS } from '../../app/keys/charge.js';
import { DAY_MS } from '../../platform/clock.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { OPERATOR_PATH, PUBLIC_PAGES } from '../server/paths.js';
import { type Facts, FREE_SCAN_KEPT, type PageText } from './long-page.js';

const TEMPLATE = readFileSync(new URL('privacy.md', import.meta.url), 'utf8');

const PLACEHOLDER = /\{(\w+)\}/g;

const HOUR_MS = 3_600_000;

export function privacyText({ evidenceDays }: Facts): PageText {
  const text = fill(TEMPLATE, {
    aboutPath: PUBLIC_PAGES.about.path,
    operatorPath: OPERATOR_PATH,
    deliveryDays: countOf(DELIVERY_LOG_DAYS, 'day'),
    eventDays: countOf(EVENT_DAYS, 'day'),
    evidenceDays: evidenceDays === 0 ? null : countOf(evidenceDays, 'day'),
    noEvidence: evidenceDays === 0 ? '' : null,
    freeScanHours: FREE_SCAN_KEPT,
    keyUsageMonths: countOf(KEY_USAGE_MONTHS, 'month'),
    linkHours: countOf(LINK_LIFE_MS / HOUR_MS, 'hour'),
    sessionDays: countOf(SESSION_LIFE_MS / DAY_MS, 'day'),
    sessionIdleDays: countOf(SESSION_IDLE_MS / DAY_MS, 'day'),
  });
  const [, lead = '', ...body] = text.trim().split('\n\n');
  return { heading: 'Privacy', lead, body: body.join('\n\n') };
}

/**
 * Replaces placeholders such as `{eventDays}`. Leaves out each line with a placeholder whose value is null.
 * @throws Error for an unknown placeholder
 */
function fill(template: string, values: Readonly<Record<string, string | null>>): string {
  const valueOf = (name: string): string | null => {
    const value = values[name];
    if (value === undefined) throw new Error(`unknown placeholder ${name}`);
    return value;
  };
  const lines = template
    .split('\n')
    .filter((line) => [...line.matchAll(PLACEHOLDER)].every(([, name = '']) => valueOf(name) !== null));
  return lines.join('\n').replace(PLACEHOLDER, (_, name: string) => valueOf(name) ?? '');
}
