/** How a field's values are read, compared and written. Each kind has one lens in `mapping/kinds/`. */
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
  /** The opportunity field with the value, or the object if the value is not a single opportunity field. */
  readonly crm: string;
  /**
   * The direction in which changes are synced. When Lockstep creates a record, it sends every field with a sendable value, whatever its
   * direction.
   */
  readonly direction: 'both' | 'to-vendor' | 'to-crm' | 'first-sync';
  /** The rule that chooses the value when both sides changed the field to different values. */
  readonly rule: 'newest' | 'crm' | 'vendor' | 'manual';
  /** Whether the vendor's documents name a default that the vendor fills in if a create does not send the field (sales spec 2.1, 2.3). */
  readonly vendorDefault: boolean;
  /** Whether the vendor documents a value that unsets the field on update. */
  readonly clearable: boolean;
  /** Whether the CRM requires a value in this field, so that Lockstep never writes the vendor's unset value to it. */
  readonly crmRequired: boolean;
  /** Whether a vendor value is written only into an empty CRM field, never over an existing value. */
  readonly fillsCrm: boolean;
};

type Trait = 'vendorDefault' | 'clearable' | 'crmRequired' | 'fillsCrm';

/** Makes one row of the table of fields (`FIELDS`). Traits are false unless given. `crm`: the name of the CRM field, without its object. */
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
