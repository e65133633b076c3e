import type { ChatEvent } from './alert-event.js';
import { type DiscordMessage, discordMessage } from './discord-message.js';
import { type SlackMessage, slackMessage } from './slack-message.js';
import { tellOf } from './tell.js';
import type { ChatFormat } from './webhook-format.js';

export type ChatMessage = SlackMessage | DiscordMessage;

/** A message as a chat shows it. Of the site it has the host name alone. @param publicUrl the origin of links */
export function chatMessage(format: 'slack', event: ChatEvent, publicUrl: string): SlackMessage;
export function chatMessage(format: 'discord', event: ChatEvent, publicUrl: string): DiscordMessage;
export function chatMessage(format: ChatFormat, event: ChatEvent, publicUrl: string): ChatMessage;
export function chatMessage(format: ChatFormat, event: ChatEvent, publicUrl: string): ChatMessage {
  const told = tellOf(event, publicUrl);
  return format === 'slack' ? slackMessage(told) : discordMessage(told, event.timestamp);
}
