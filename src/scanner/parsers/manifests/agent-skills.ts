import { safeText, term } from '../../artifacts/safe-text.js';
import type { JsonObject } from '../json.js';
import type { ManifestReading, Part } from './shape.js';
import { Problems, httpUrlOf, isArray, isObject, partOf, readObject, textOf } from './shape.js';

/** The file of one skill, with the digest that the index gives for it. */
export interface SkillFile {
  readonly type: 'skill-md' | 'archive';
  readonly url: URL;
  /** SHA-256 of its bytes, 64 hexadecimal digits in lower case. */
  readonly sha256: string;
}

export interface SkillIndex {
  readonly hasSkills: boolean;
  /** `foreign`: clients of 0.2.0 must not process it. `other`: another version, whose rules we do not know. */
  readonly schema: 'current' | 'other' | 'foreign';
  /** The first skill that is described without a fault. */
  readonly first: SkillFile | null;
}

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
const ANY_SCHEMA = /^https:\/\/schemas\.agentskills\.io\/discovery\/\d{1,4}\.\d{1,4}\.\d{1,4}\/schema\.json$/;
const NAME = /^[a-z0-9](?:-?[a-z0-9])*$/;
const DIGEST = /^sha256:([0-9a-f]{64})$/;
/** In characters. */
const NAME_CHARS_MAX = 64;
const DESCRIPTION_CHARS_MAX = 1_024;
const [SKILLS, NAME_FIELD, TYPE, DESCRIPTION, URL_FIELD, DIGEST_FIELD] = [
  term('skills'),
  term('name'),
  term('type'),
  term('description'),
  term('url'),
  term('digest'),
];

/** Reads the index of agent skills (Agent Skills Discovery 0.2.0). Only what names that version is held to its rules. */
export async function readSkillIndex(text: string, base: URL): Promise<ManifestReading<SkillIndex>> {
  const document = await readObject(text, base);
  if (!('object' in document)) return document;
  const index = document.object;
  const problems = new Problems({ file: base, pointer: '' });
  const skills = index.get('skills');
  problems.require(isArray(skills), index, SKILLS);
  const schema = schemaOf(textOf(index.get('$schema')));
  let first: SkillFile | null = null;
  for (const [position, skill] of schema === 'current' && isArray(skills) ? skills.entries() : []) {
    if (problems.isFull) break;
    const where = partOf(problems.root, safeText`skill ${position + 1}`, 'skills', position);
    if (!isObject(skill)) {
      problems.add(safeText`${where.name} is not an object`, where);
      continue;
    }
    const file = readSkill(skill, base, problems, where);
    first ??= file;
  }
  return { kind: 'read', problems: problems.list, value: { hasSkills: isArray(skills), schema, first } };
}

function schemaOf(schema: string | null): SkillIndex['schema'] {
  if (schema === SCHEMA) return 'current';
  return schema !== null && ANY_SCHEMA.test(schema) ? 'other' : 'foreign';
}

function readSkill(skill: JsonObject, base: URL, problems: Problems, where: Part): SkillFile | null {
  const name = textOf(skill.get('name')) ?? '';
  problems.require(name.length <= NAME_CHARS_MAX && NAME.test(name), skill, NAME_FIELD, where);
  const description = textOf(skill.get('description'));
  const isShort =
    description !== null &&
    Array.from(description.slice(0, 2 * DESCRIPTION_CHARS_MAX + 1)).length <= DESCRIPTION_CHARS_MAX;
  problems.require(isShort, skill, DESCRIPTION, where);
  const given = skill.get('type');
  const type = given === 'skill-md' || given === 'archive' ? given : null;
  problems.require(type !== null, skill, TYPE, where);
  const url = textOf(skill.get('url')) === null ? null : httpUrlOf(skill.get('url'), base);
  problems.require(url !== null, skill, URL_FIELD, where);
  const sha256 = DIGEST.exec(textOf(skill.get('digest')) ?? '')?.[1];
  problems.require(sha256 !== undefined, skill, DIGEST_FIELD, where);
  return type === null || url === null || sha256 === undefined ? null : { type, url, sha256 };
}
