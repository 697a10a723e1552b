import { NOT_SHOWN, startSandbox } from 'lockstep-simulators/testing';
import { FIELD_GROUPS, fieldText } from 'lockstep-simulators/vendor-fields';
import { expect, it } from 'vitest';
import { lensOf } from '../../src/domain/mapping/index.ts';
import { FIELD_NAMES } from '../../src/domain/record/fields.ts';

type Described = { readonly at: string; readonly description: string | undefined };

/** The fields of all objects in a document. What is below `not` or `contains` tells which must be there. */
function fieldsOf(schema: unknown, at: string): readonly Described[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, properties } = schema as { type?: unknown; properties?: Readonly<Record<string, Described>> };
  const own = Object.entries(type === 'object' ? (properties ?? {}) : {}).map(([name, { description }]) => ({
    at: `${at}.${name}`,
    description,
  }));
  return [...own, ...Object.entries(schema).flatMap(([key, inner]) => fieldsOf(inner, `${at}/${key}`))];
}

it('the OpenAPI document of the vendor simulator says of each field what the vendor’s documents say of it', async () => {
  const sandbox = await startSandbox({ orders: 1 });
  const { body } = await sandbox.admin('GET', 'openapi.json');
  await sandbox.close();
  const fields = fieldsOf(body, '');
  expect(fields.length).toBeGreaterThan(500);
  const words = Object.values(FIELD_GROUPS).flatMap((group) =>
    Object.keys(group.fields).map((name) => fieldText(group, name)),
  );
  const mapped = FIELD_NAMES.map((name) => `.${lensOf(name).vendor.key ?? name}`);
  const isMapped = ({ at, description }: Described) =>
    description === NOT_SHOWN && mapped.some((name) => at.endsWith(name));
  const silent = fields.filter((one) => !words.includes(one.description) && !isMapped(one));
  expect(silent.map(({ at }) => `${at}: give it words in simulators/src/vendor-fields`)).toEqual([]);
});
