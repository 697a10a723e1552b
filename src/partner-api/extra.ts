/** Fields that the vendor's documents do not show, by name, as JSON. */
export type ExtraFields = Readonly<Record<string, unknown>>;

/** An object of a request. Its fields are a closed set; undocumented fields go into `extra`. */
export interface TakesExtra {
  /** Fields that the vendor's documents do not show. They are sent with the others, unchanged. */
  readonly extra?: ExtraFields | undefined;
}

/** An object of an answer. Undocumented fields are separate, in `extra`. */
export interface HasExtra {
  /** Fields that the vendor's documents do not show, as sent. Left out where the answer has none. */
  readonly extra?: ExtraFields;
}

/** An answer or input in the vendor's own form: the fields of `extra`, at any depth, are moved back into their object. */
export function flattenExtra(value: HasExtra | TakesExtra): Readonly<Record<string, unknown>> {
  const { extra, ...known } = value;
  const members = Object.entries(known).map(([name, member]) => [name, flattened(member)]);
  return { ...Object.fromEntries(members), ...extra };
}

function flattened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flattened);
  return typeof value === 'object' && value !== null ? flattenExtra(value) : value;
}
