import type { Choice } from '../domain/record/crm-limits.ts';
import { listOf, objectOf, textOf } from './answers.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Matches the names of fields with a state or country code (State and Country/Territory Picklists). Only for these fields does Lockstep
 * need the labels of the picklist values.
 */
const CODES = /(Country|State)Code$/;

/**
 * Reads the values of an object's picklists for states and countries from the object's description. The key is the name of the field (with
 * a state or country code), the value is the list of its active picklist values with their labels. A state may be offered only together
 * with some countries. Its `validFor` in the description lists these countries: in base 64, one bit for each value of the country picklist,
 * highest bit of a byte first (SOAP API: "PicklistEntry").
 */
export function choicesOf(fields: readonly Json[]): ReadonlyMap<string, readonly Choice[]> {
  const named = new Map(fields.map((field) => [textOf(field['name']), field]));
  const codes = [...named].filter(([name, { type }]) => type === 'picklist' && CODES.test(name));
  return new Map(
    codes.map(([name, field]) => {
      const controller = field['controllerName'];
      const controlling = typeof controller === 'string' ? named.get(controller) : undefined;
      return [name, choices(field, controlling)];
    }),
  );
}

function choices(field: Json, controlling: Json | undefined): readonly Choice[] {
  const controls = controlling && entriesOf(controlling).map(({ value }) => textOf(value));
  return entriesOf(field)
    .filter(({ active }) => active === true)
    .map(({ value, label, validFor }) => ({
      value: textOf(value),
      label: typeof label === 'string' ? label : textOf(value),
      goesWith: controls === undefined ? null : controls.filter((_, place) => isSet(validFor, place)),
    }));
}

function entriesOf(field: Json): readonly Json[] {
  return listOf(field['picklistValues']).map(objectOf);
}

function isSet(validFor: unknown, place: number): boolean {
  const bytes = Buffer.from(typeof validFor === 'string' ? validFor : '', 'base64');
  return ((bytes[place >> 3] ?? 0) & (0x80 >> (place % 8))) !== 0;
}
