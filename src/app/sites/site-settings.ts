import { InputError } from '../../platform/input-error.js';
import { pathOf } from '../../scanner/artifacts/pages.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import { type AuditEventName, recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { parseSitePage } from './site-input.js';
import { findPlatform } from '../../scanner/verdict/fix-parts.js';
import { lockOwnSite, type OwnSite, type Site, type SiteRow, siteTable } from './site.js';
import { parseTags, serializeTags } from './tags.js';

type SettingsContext = Pick<Context, 'db' | 'clock'>;

interface SettingChange {
  readonly columns: Partial<SiteRow>;
  readonly event: AuditEventName;
  readonly subject: string;
}

/** Changes a setting and records an event, unless `change` returns null. @throws ServiceError site_not_found for a site that was removed */
async function changeSetting(
  { db, clock }: SettingsContext,
  { id, accountId }: OwnSite,
  change: (site: Site, now: Date) => SettingChange | null,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    const changed = change(await lockOwnSite(tx, { accountId, siteId: id }), now);
    if (!changed) return;
    const { columns, event, subject } = changed;
    await tx.run(siteTable.update({ id }, columns));
    await recordEvent(tx, { accountId, event, subject, now });
  });
}

/**
 * Replaces the pages that each run reads first.
 * @param lines one path or address per line; blank and repeated lines are skipped
 * @returns the number of chosen pages
 * @throws InputError that names the line; ServiceError site_not_found
 */
export async function choosePages(context: SettingsContext, site: OwnSite, lines: string): Promise<number> {
  const paths = parsePaths(lines, new URL(site.origin));
  const chosen_pages = JSON.stringify(paths);
  await changeSetting(context, site, ({ hostname, chosenPages }) => {
    if (chosen_pages === JSON.stringify(chosenPages ?? [])) return null;
    const count = paths.length === 0 ? 'none' : countOf(paths.length, 'page');
    return { columns: { chosen_pages }, event: 'pages_chosen', subject: `${count}, of ${hostname}` };
  });
  return paths.length;
}

/** @throws InputError that names the line */
function parsePaths(lines: string, origin: URL): readonly string[] {
  const paths = new Set<string>();
  for (const [index, line] of lines.split(/\r\n|\r|\n/).entries()) {
    const text = line.trim();
    if (text !== '') paths.add(pathOf(parseSitePage(origin, text, `Line ${index + 1}`)));
  }
  const { chosenPagesMax: max } = SCAN_LIMITS;
  if (paths.size > max) throw new InputError(`These are ${paths.size} pages. Choose ${max} at most.`);
  return [...paths];
}

/** Turns a site's email alerts on or off. Messages about a missing proof are always sent. @throws ServiceError site_not_found */
export function setSiteMail(context: SettingsContext, site: OwnSite, isOn: boolean): Promise<void> {
  return changeSetting(context, site, ({ hostname, mailMutedAt }, now) => {
    if ((mailMutedAt === null) === isOn) return null;
    const event = isOn ? 'site_mail_turned_on' : 'site_mail_turned_off';
    return { columns: { mail_muted_at: isOn ? null : now.toISOString() }, event, subject: hostname };
  });
}

/**
 * Stores where a site runs.
 * @param typed the name of a platform; empty if the owner does not say
 * @throws InputError; ServiceError site_not_found
 */
export async function setPlatform(context: SettingsContext, site: OwnSite, typed: string): Promise<void> {
  const platform = findPlatform(typed);
  if (platform === null && typed !== '') throw new InputError('Choose where the site runs from the list.', 'platform');
  await changeSetting(context, site, (before) => {
    if (before.platform === platform) return null;
    const subject = `${platform ?? 'none'}, of ${before.hostname}`;
    return { columns: { platform }, event: 'platform_changed', subject };
  });
}

/** Replaces the site's tags. @param text comma-separated @throws InputError; ServiceError site_not_found */
export async function setTags(context: SettingsContext, site: OwnSite, text: string): Promise<void> {
  const tags = serializeTags(parseTags(text));
  await changeSetting(context, site, (before) => {
    if (tags === serializeTags(before.tags)) return null;
    return { columns: { tags }, event: 'tags_changed', subject: before.hostname };
  });
}
