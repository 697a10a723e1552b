/** Texts on the fields of one object from the vendor's documents: rule, unit, length. They have no effect. */
export type FieldGroup = {
  /** The section of the documents, for example `sales spec 2.1`. */
  readonly section: string;
  readonly fields: Readonly<Record<string, string>>;
};

/** The text on a field, with its section; undefined for a field that the group lacks. */
export function fieldText({ section, fields }: FieldGroup, name: string): string | undefined {
  return Object.hasOwn(fields, name) ? `${fields[name]} (${section})` : undefined;
}
