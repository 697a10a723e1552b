/** A place in a tenant's mapping file or tenant file that does not fit the tenant's org. */
export type Misfit = {
  /** The path of keys in the file, such as `fields`, `competitors`, `crm`. */
  readonly at: readonly (string | number)[];
  /** How bad the problem is. `fails`: something cannot be synced as mapped. `warns`: it can be synced, but some values will wait. */
  readonly verdict: 'fails' | 'warns';
  /** A sentence about the problem. It contains only names of fields, stages and codes. */
  readonly what: string;
  readonly repair: string;
};
