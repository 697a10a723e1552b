/**
 * A transform of a CRM text into the canonical text; its inverse is applied before a write to the CRM. The list is closed, because each
 * transform needs an inverse.
 */
export type Transform =
  | { readonly kind: 'trim' | 'upper' | 'lower' | 'digits' }
  | { readonly kind: 'truncate'; readonly length: number }
  | {
      readonly kind: 'prefix' | 'suffix' | 'without-prefix' | 'without-suffix';
      readonly text: string;
    };

export type TransformKind = Transform['kind'];
