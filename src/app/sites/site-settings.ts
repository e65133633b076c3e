import { InputError } from '../../platform/input-error.js';
import { pathOf } from '../../scanner/artifacts/chosen-pages.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { lockOwnSite, type OwnSite, PLATFORMS, siteTable } from './site.js';
import { parsePageOf } from './site-input.js';

/**
 * Replaces the pages that each run reads first. Records an event if the choice changes.
 * @param lines one path or address per line; blank and repeated lines are skipped
 * @returns the number of chosen pages
 * @throws InputError that names the line; ServiceError site_not_found for a site that was removed
 */
export async function choosePages(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id, accountId, origin }: OwnSite,
  lines: string,
): Promise<number> {
  const paths = parsePaths(lines, new URL(origin));
  const chosen = JSON.stringify(paths);
  const now = clock.now();
  await db.transaction(async (tx) => {
    const { hostname, chosenPages } = await lockOwnSite(tx, { siteId: id, accountId });
    if (chosen === JSON.stringify(chosenPages ?? [])) return;
    const count = paths.length === 0 ? 'none' : countOf(paths.length, 'page');
    await recordEvent(tx, { accountId, event: 'pages_chosen', subject: `${count}, of ${hostname}`, now });
    await tx.run(siteTable.update({ id }, { chosen_pages: chosen }));
  });
  return paths.length;
}

/** @throws InputError that names the line */
function parsePaths(lines: string, origin: URL): readonly string[] {
  const paths = new Set<string>();
  for (const [index, line] of lines.split(/\r\n|\r|\n/).entries()) {
    const text = line.trim();
    if (text !== '') paths.add(pathOf(parsePageOf(origin, text, `Line ${index + 1}`)));
  }
  const { chosenPagesMax: max } = SCAN_LIMITS;
  if (paths.size > max) throw new InputError(`These are ${paths.size} pages. Choose ${max} at most.`);
  return [...paths];
}

/**
 * Turns alerts of a site by e-mail on or off. Messages about a missing proof are always sent.
 * @throws ServiceError site_not_found for a site that was removed
 */
export async function setSiteMail(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id, accountId }: OwnSite,
  isOn: boolean,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    const { hostname, mailMutedAt } = await lockOwnSite(tx, { accountId, siteId: id });
    if ((mailMutedAt === null) === isOn) return;
    await tx.run(siteTable.update({ id }, { mail_muted_at: isOn ? null : now.toISOString() }));
    const event = isOn ? 'site_mail_turned_on' : 'site_mail_turned_off';
    await recordEvent(tx, { accountId, event, subject: hostname, now });
  });
}

/**
 * Stores where a site runs.
 * @param typed one of {@link PLATFORMS}; empty if the owner does not say
 * @throws InputError; ServiceError site_not_found for a site that was removed
 */
export async function setPlatform(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id, accountId }: OwnSite,
  typed: string,
): Promise<void> {
  const platform = PLATFORMS.find((one) => one === typed) ?? null;
  if (platform === null && typed !== '') throw new InputError('Choose where the site runs from the list.', 'platform');
  await db.transaction(async (tx) => {
    const site = await lockOwnSite(tx, { accountId, siteId: id });
    if (site.platform === platform) return;
    await tx.run(siteTable.update({ id }, { platform }));
    const subject = `${platform ?? 'none'}, of ${site.hostname}`;
    await recordEvent(tx, { accountId, event: 'platform_changed', subject, now: clock.now() });
  });
}
