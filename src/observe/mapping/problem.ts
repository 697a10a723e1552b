/** A problem of a mapping in the org, at a place of a mapping file. */
export type Misfit = {
  /** Keys from the top of a mapping file, such as `fields`, `competitors`, `crm`. */
  readonly at: readonly (string | number)[];
  /** `fails`: the value cannot be synced as the mapping says; `warns`: it can, but some values will wait. */
  readonly verdict: 'fails' | 'warns';
  /** A sentence with names of fields, stages and codes only. */
  readonly what: string;
  readonly repair: string;
};
