/**
 * A transform of a CRM text into the canonical text. Every kind of transform can be reversed for writes to the CRM; tenants therefore
 * cannot add kinds.
 */
export type Transform =
  | { readonly kind: 'trim' | 'upper' | 'lower' | 'digits' }
  | { readonly kind: 'truncate'; readonly length: number }
  | {
      readonly kind: 'prefix' | 'suffix' | 'without-prefix' | 'without-suffix';
      readonly text: string;
    };

export type TransformKind = Transform['kind'];
