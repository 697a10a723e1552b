/**
 * A transform of a CRM text, applied before the text becomes canonical. Every kind of transform can be reversed for writes to the CRM, so
 * tenants cannot add kinds of their own.
 */
export type Transform =
  | { readonly kind: 'trim' | 'upper' | 'lower' | 'digits' }
  | { readonly kind: 'truncate'; readonly length: number }
  | {
      readonly kind: 'prefix' | 'suffix' | 'without-prefix' | 'without-suffix';
      readonly text: string;
    };

export type TransformKind = Transform['kind'];
