/**
 * The kinds of fields. The kind decides how a field's values are read, compared and written. Each kind has one lens (pair of translation
 * functions) in `mapping/kinds/`.
 */
export type FieldKind =
  | 'text'
  | 'email'
  | 'code'
  | 'date'
  | 'codes'
  | 'entity'
  | 'lines'
  | 'customer-contacts'
  | 'partner-contacts';

export type FieldSpec<K extends FieldKind = FieldKind> = {
  readonly kind: K;
  /** The opportunity field that contains the value. If the value is not in a single opportunity field, the CRM object that contains it. */
  readonly crm: string;
  /**
   * The direction in which changes of the field are synced; `first-sync` means only until both sides have agreed once. When Lockstep
   * creates a record, it sends every field with a sendable value, whatever the direction.
   */
  readonly direction: 'both' | 'to-vendor' | 'to-crm' | 'first-sync';
  /** The rule that chooses the value when both sides changed the field to different values. */
  readonly rule: 'newest' | 'crm' | 'vendor' | 'manual';
  /** Whether the vendor's documents name a default that the vendor fills in if a create does not send the field (sales spec 2.1, 2.3). */
  readonly vendorDefault: boolean;
  /** Whether the vendor documents a value that unsets the field on update. */
  readonly clearable: boolean;
  /** Whether the CRM requires a value in this field. If so, Lockstep never empties the CRM's field when the vendor's value is unset. */
  readonly crmRequired: boolean;
  /** Whether a vendor value is written only into an empty CRM field, never over an existing value. */
  readonly fillsCrm: boolean;
};

type Trait = 'vendorDefault' | 'clearable' | 'crmRequired' | 'fillsCrm';

/**
 * Makes one row of the table of fields (`FIELDS`). `crm`: an opportunity field, or the CRM object that contains the value (see
 * `FieldSpec.crm`); no path with a dot. `traits`: the boolean properties that are true for the field.
 */
export function row<const K extends FieldKind, const C extends string>(
  kind: K,
  crm: C extends `${string}.${string}` ? never : C,
  direction: FieldSpec['direction'],
  rule: FieldSpec['rule'],
  ...traits: readonly Trait[]
): FieldSpec<K> {
  const has = (trait: Trait): boolean => traits.includes(trait);
  return {
    kind,
    crm,
    direction,
    rule,
    vendorDefault: has('vendorDefault'),
    clearable: has('clearable'),
    crmRequired: has('crmRequired'),
    fillsCrm: has('fillsCrm'),
  };
}
