import { countOf } from '../../platform/counts.js';
import type { DigestEvent, DigestGroup, DigestKind, DigestSite } from './alert-event.js';
import type { Told, ToldLine } from './told.js';

const TITLES: Readonly<Record<DigestKind, string>> = {
  worse: 'Got worse',
  unscored: 'Without a score',
  better: 'Got better',
  first: 'First score',
};

/** In the subject, after a number. */
const IN_SHORT: Readonly<Record<DigestKind, string>> = {
  worse: 'worse',
  unscored: 'without a score',
  better: 'better',
  first: 'new',
};

export function tellOfDigest({ data: { since, sites, groups } }: DigestEvent, publicUrl: string): Told {
  const counts = groups.map(({ kind, count }) => `${count} ${IN_SHORT[kind]}`).join(', ');
  return {
    subject: `Your sites since ${since.slice(0, 10)}: ${counts}`,
    lines: [
      `What changed on your ${countOf(sites, 'site')} since ${since.slice(0, 10)}:`,
      ...groups.flatMap((group) => linesOf(group, publicUrl)),
      '',
      { link: 'All of your sites', url: `${publicUrl}/sites` },
    ],
  };
}

function linesOf({ kind, count, sites }: DigestGroup, publicUrl: string): ToldLine[] {
  const more = count - sites.length;
  return [
    '',
    TITLES[kind],
    ...sites.map((site) => ({
      item: `${site.hostname}: ${describeSite(site)}`,
      url: `${publicUrl}/sites/${site.id}`,
    })),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

function describeSite({ from, to, newFailures, fixed, isBack, unscoredRuns }: DigestSite): string {
  const isChanged = from !== null && (from !== to || newFailures > 0 || fixed > 0);
  const runs = unscoredRuns === 1 ? 'its last run has' : `its last ${unscoredRuns} runs have`;
  if (unscoredRuns > 0 && !isChanged) return `${runs} no score${to === null ? '' : ` (before: ${to})`}`;
  const parts = [
    from === null || from === to ? String(to) : `${from} → ${to}`,
    ...(newFailures > 0 ? [countOf(newFailures, 'new failure')] : []),
    ...(fixed > 0 ? [`${fixed} fixed`] : []),
    ...(isBack ? ['it has a score again'] : []),
    ...(unscoredRuns > 0 ? [`${runs} no score`] : []),
  ];
  return parts.join(', ');
}
