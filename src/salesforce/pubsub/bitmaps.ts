/**
 * A field of a change event's schema. `parts` are the subfields of a compound field, such as the first name in `Name`; empty for any other
 * field.
 */
export type SchemaField = { readonly name: string; readonly parts: readonly string[] };

/**
 * The names of the changed (or nulled) fields of a change event, which the event lists as bitmaps (Pub/Sub API guide: Event Deserialization
 * Considerations). `0x650004E0` has one bit for each field of the schema; `4-0x10` has one bit for each part of the compound field at
 * position 4. Unknown entries and bits are skipped.
 */
export function namesOf(fields: readonly SchemaField[], bitmaps: readonly string[]): readonly string[] {
  return bitmaps.slice(0, fields.length + 1).flatMap((entry) => {
    const [, position, digits] = /^(?:(\d{1,6})-)?0x([0-9A-Fa-f]{1,4096})$/.exec(entry) ?? [];
    if (digits === undefined) return [];
    if (position === undefined) return marked(fields, digits).map(({ name }) => name);
    const compound = fields[Number(position)];
    return marked(compound?.parts ?? [], digits).map((part) => `${compound?.name}.${part}`);
  });
}

function marked<T>(items: readonly T[], digits: string): readonly T[] {
  // Each hexadecimal digit has the bits of four items. The last digit has those of the first four.
  return items.filter((_, place) => (Number.parseInt(digits.at(-1 - (place >> 2)) ?? '0', 16) >> (place & 3)) & 1);
}
