import type { Schema } from '../schema/types.ts';
import { type Component, partsOf } from './components.ts';

/** What the components of a deployment may name: each other, and what the org has. */
export type Names = {
  /** Whether the zip or the org has a component. Standard names, which no deployment brings, always exist. */
  readonly has: (type: string, name: string) => boolean;
  /** The component of the zip; undefined if the org alone has it, or nobody. */
  readonly find: (type: string, name: string) => Component | undefined;
};

export function namesOf(components: readonly Component[], schema: Schema, orgHas: ReadonlySet<string>): Names {
  const byName = new Map(components.map((one) => [`${one.type}:${one.name}`, one]));
  const all = new Set([...byName.keys(), ...components.flatMap(partsOf), ...orgHas]);
  return {
    has: (type, name) => isStandard(type, name) || all.has(`${type}:${name}`) || hasSchema(schema, type, name),
    find: (type, name) => byName.get(`${type}:${name}`),
  };
}

function hasSchema(schema: Schema, type: string, name: string): boolean {
  const [object = '', field = ''] = name.split('.');
  if (type === 'CustomObject') return schema.object(name) !== undefined;
  if (type !== 'CustomField') return false;
  return schema.object(object)?.fields.has(field.toLowerCase()) === true;
}

function isStandard(type: string, name: string): boolean {
  if (type === 'CustomTab') return name.startsWith('standard-');
  if (type === 'CustomApplication') return name.startsWith('standard__');
  if (type === 'CustomObject') return !/__\w$/.test(name);
  if (type === 'CustomField') return !/__\w$/.test(name.split('.').at(-1) ?? '');
  return false;
}
