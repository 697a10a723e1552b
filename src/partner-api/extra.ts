/** Fields that the vendor's documents do not show, by name. Their values are JSON. */
export type ExtraFields = Readonly<Record<string, unknown>>;

/** An object in a request. It has only the fields that the documents show; other fields go into `extra`. */
export interface TakesExtra {
  /** Fields that the vendor's documents do not show. They are sent with the others, unchanged. */
  readonly extra?: ExtraFields | undefined;
}

/** An object in an answer. Fields that the documents do not show are in `extra`. */
export interface HasExtra {
  /** Fields that the vendor's documents do not show, as sent. Left out where the answer has none. */
  readonly extra?: ExtraFields;
}

/**
 * Converts an answer or input of this client to the form in which the vendor sends or gets it. At any depth, the fields in `extra` become
 * fields of the object that contains `extra`.
 */
export function flattenExtra(value: HasExtra | TakesExtra): Readonly<Record<string, unknown>> {
  const { extra, ...known } = value;
  const members = Object.entries(known).map(([name, member]) => [name, flattened(member)]);
  return { ...Object.fromEntries(members), ...extra };
}

function flattened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flattened);
  return typeof value === 'object' && value !== null ? flattenExtra(value) : value;
}
