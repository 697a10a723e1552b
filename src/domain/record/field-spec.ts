/** How a field's values are read, compared and written; one lens a kind in `mapping/kinds/`. */
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
  /** The field of the opportunity that holds it; the object, where it is not one field of the opportunity. */
  readonly crm: string;
  /** Where a change may travel; a new record carries all that can be sent then. */
  readonly direction: 'both' | 'to-vendor' | 'to-crm' | 'first-sync';
  /** Who wins when both sides changed the field to different values. */
  readonly rule: 'newest' | 'crm' | 'vendor' | 'manual';
  /** The vendor documents a default that it fills in when the field is not sent at creation (sales spec 2.1, 2.3). */
  readonly vendorDefault: boolean;
  /** The vendor documents, by the field's type, a value that means "unset" on update. */
  readonly clearable: boolean;
  /** The CRM requires a value, so a vendor's unset one is never written. */
  readonly crmRequired: boolean;
  /** The vendor's value is written into an empty CRM field only, and never over one that is set. */
  readonly fillsCrm: boolean;
};

type Trait = 'vendorDefault' | 'clearable' | 'crmRequired' | 'fillsCrm';

/** One row of the table; a trait that is not named is false. `crm` is the name alone, without its object. */
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
