/** What the vendor's documents say of the fields of one object: rule, unit, length. Words only, for readers. */
export type FieldGroup = {
  /** The section that says it, for example `sales spec 2.1`. */
  readonly section: string;
  readonly fields: Readonly<Record<string, string>>;
};

/** What is said of a field, with its section; undefined for one that the group does not have. */
export function fieldText({ section, fields }: FieldGroup, name: string): string | undefined {
  return Object.hasOwn(fields, name) ? `${fields[name]} (${section})` : undefined;
}
