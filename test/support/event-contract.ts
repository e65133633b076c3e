import type { Test } from 'tap';
import type { ReceivedMessage } from './receiver.js';
import { DOCUMENT, faultsAt } from './contract.js';

interface Parameter {
  readonly name: string;
  readonly schema: { readonly type: string };
}

interface WebhookObject {
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
}

/** The messages that the document describes, by their type. */
export const WEBHOOKS = ((DOCUMENT as { readonly webhooks?: unknown }).webhooks ?? {}) as Readonly<
  Record<string, { readonly post: WebhookObject }>
>;

/** The fields of each kind of change, besides the kind; the document has them as optional, since more kinds may come. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  ACCESS_CHANGED: ['assistant', 'before', 'now', 'reason'],
  SCORE_FELL: ['from', 'to'],
  CHECK_FAILING: ['checkId', 'errorType', 'headline', 'title'],
  CHECK_FIXED: ['checkId', 'title'],
  SITE_UNREACHABLE: [],
  SITE_REACHABLE: [],
};

/** What in a delivered message departs from the document: its type, headers or body. Empty when nothing does. */
export function messageFaults({ headers, body }: Pick<ReceivedMessage, 'headers' | 'body'>): string[] {
  const message = JSON.parse(body) as { readonly type: string; readonly data: object };
  const webhook = WEBHOOKS[message.type];
  if (!webhook) return [`type ${message.type} is not described`];
  const pointer = `/webhooks/${message.type}/post`;
  const inHeaders = webhook.post.parameters.flatMap(({ name, schema }, index) => {
    const value = schema.type === 'integer' ? Number(headers[name]) : headers[name];
    return faultsAt(`${pointer}/parameters/${index}/schema`, value).map((fault) => `${name}${fault}`);
  });
  const { schema } = webhook.post.requestBody.content['application/json'];
  const inBody = faultsAt(`${pointer}/requestBody/content/application~1json/schema`, message);
  return [...inHeaders, ...inBody, ...undescribed(schema, message), ...changeFaults(message.data)];
}

/** Asserts that a delivered message is one that the document describes. */
export function expectDescribed(t: Test, message: ReceivedMessage): void {
  t.strictSame(messageFaults(message), [], 'the message is as the document says');
}

function at(pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], DOCUMENT);
}

function changeFaults(data: { readonly changes?: readonly { readonly kind: string }[] }): string[] {
  return (data.changes ?? []).flatMap(({ kind, ...fields }) => {
    const found = Object.keys(fields).sort().join();
    return found === FIELDS[kind]?.join() ? [] : [`${kind} has the fields ${found}`];
  });
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Fields that the document does not have: it leaves objects open for those of later versions, and there are none yet. */
function undescribed({ $ref, properties, items = {} }: Schema, value: unknown, where = ''): string[] {
  if ($ref !== undefined) return undescribed(at($ref.slice(1)) as Schema, value, where);
  if (Array.isArray(value)) return value.flatMap((item) => undescribed(items, item, where));
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, its]) => {
    const path = `${where}/${name}`;
    return properties[name] ? undescribed(properties[name], its, path) : [`${path} is not described`];
  });
}
