import type { FieldDef, ObjectDef } from './types.ts';

/** A compound field: the parts of an address, by their names in an answer. */
export type CompoundAddress = {
  readonly name: string;
  readonly parts: readonly { readonly name: string; readonly field: FieldDef | null }[];
};

/** The parts of an address in an answer (SOAP API Developer Guide: "Address Compound Fields"). */
const PARTS = [
  'City',
  'Country',
  'CountryCode',
  'GeocodeAccuracy',
  'Latitude',
  'Longitude',
  'PostalCode',
  'State',
  'StateCode',
  'Street',
] as const;

/** Parts that an answer has only if the org has them: codes come with State and Country/Territory Picklists. */
const WHERE_THERE: ReadonlySet<string> = new Set(['CountryCode', 'StateCode']);
const COMPONENT = /^(Billing|Shipping|Mailing|Other|)(Street|City|State|StateCode|PostalCode|Country|CountryCode)$/;

/** The compound field that a field is a part of; null for all others. */
export function compoundNameOf(field: FieldDef): string | null {
  const prefix = field.custom ? undefined : COMPONENT.exec(field.name)?.[1];
  return prefix === undefined ? null : `${prefix}Address`;
}

/** The addresses of an object, with the parts that exist and that the user may see. */
export function compoundAddresses(object: ObjectDef): readonly CompoundAddress[] {
  const known = found.get(object) ?? findAddresses(object);
  found.set(object, known);
  return known;
}

const found = new WeakMap<ObjectDef, readonly CompoundAddress[]>();

function findAddresses(object: ObjectDef): readonly CompoundAddress[] {
  const names = new Set([...object.fields.values()].flatMap((field) => compoundNameOf(field) ?? []));
  return Array.from(names, (name) => {
    const prefix = name.replace(/Address$/, '');
    const parts = PARTS.flatMap((part) => {
      const field = object.fields.get(`${prefix}${part}`.toLowerCase()) ?? null;
      if (field === null && WHERE_THERE.has(part)) return [];
      return [{ name: part.charAt(0).toLowerCase() + part.slice(1), field }];
    });
    return { name, parts };
  });
}

/** The address of an object with this name, in any case. */
export function addressNamed(object: ObjectDef, name: string): CompoundAddress | undefined {
  const wanted = name.toLowerCase();
  return compoundAddresses(object).find((address) => address.name.toLowerCase() === wanted);
}

/** An address in an answer: an object of its parts, or null if all are empty. */
export function readAddress(
  { parts }: CompoundAddress,
  read: (field: FieldDef) => unknown,
): Readonly<Record<string, unknown>> | null {
  const values = parts.map(({ name, field }): [string, unknown] => [name, field === null ? null : read(field)]);
  return values.some(([, value]) => value !== null) ? Object.fromEntries(values) : null;
}
