import { fitLines, fitTitle, type Told, type ToldLine } from './told.js';

/** A message to a webhook of Discord ("Execute Webhook", "Embed Object"). */
export interface DiscordMessage {
  readonly embeds: readonly [
    { readonly title: string; readonly description: string; readonly color?: number; readonly timestamp: string },
  ];
  /** Nobody is called. */
  readonly allowed_mentions: { readonly parse: readonly [] };
}

/** What Discord takes at most, in characters; 6000 in all of them together. */
const TITLE_MAX = 256;
const DESCRIPTION_MAX = 4096;

/** The colours of results. */
const COLOURS = { worse: 0xc2301b, better: 0x0d7a54 } as const;

/** @param at when it happened; ISO 8601 */
export function discordMessage(told: Told, at: string): DiscordMessage {
  const { subject, lines, tone } = told;
  return {
    embeds: [
      {
        title: fitTitle(subject, TITLE_MAX, escapeDiscord),
        description: fitLines(lines.map(markLine), DESCRIPTION_MAX),
        ...(tone && { color: COLOURS[tone] }),
        timestamp: at,
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

function markLine(line: ToldLine): string {
  if (typeof line === 'string') return escapeDiscord(line);
  // Between backticks nothing is markup, and no pin is a backtick.
  if ('pins' in line) return `\`${line.pins}\``;
  if ('link' in line) return linkTo(line.url, line.link);
  return `• ${line.url === undefined ? escapeDiscord(line.item) : linkTo(line.url, line.item)}`;
}

function linkTo(url: string, label: string): string {
  return `[${escapeDiscord(label)}](${url.replaceAll(')', '%29')})`;
}

/** Every sign that its markup is made of, the signs of mentions, times and emoji among them: a backslash takes its meaning away. */
function escapeDiscord(text: string): string {
  return text.replace(/[\\*_~`|<>#@:[\]()]|^[-+]/gm, '\\$&');
}
