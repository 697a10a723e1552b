import type { Choice } from '../domain/record/crm-limits.ts';
import { listOf, objectOf, textOf } from './answers.ts';

type Json = Readonly<Record<string, unknown>>;

/** The picklists of State and Country/Territory Picklists: of others nobody asks for labels. */
const CODES = /(Country|State)Code$/;

/**
 * What the codes of addresses can be, by field, from an object's describe. Which values of the controlling field a choice goes
 * with stands in `validFor`: a bit for each of them, the first of a byte the highest, in base 64 (SOAP API: "PicklistEntry").
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
