/** Something of a mapping that the org does not go with, at a place of a mapping file. */
export type Misfit = {
  /** Keys from the top of a mapping file, such as `fields`, `competitors`, `crm`. */
  readonly at: readonly (string | number)[];
  /** `fails`: the value cannot travel as the mapping says; `warns`: it can, and some values will wait. */
  readonly verdict: 'fails' | 'warns';
  /** In words; names of fields, stages and codes alone. */
  readonly what: string;
  readonly repair: string;
};
