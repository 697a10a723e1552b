/**
 * A transform (such as `upper`) of a CRM text, applied before the text is compared or sent. For writes to the CRM, Lockstep applies each
 * transform in reverse. Tenants therefore cannot add kinds of transforms of their own.
 */
export type Transform =
  | { readonly kind: 'trim' | 'upper' | 'lower' | 'digits' }
  | { readonly kind: 'truncate'; readonly length: number }
  | {
      readonly kind: 'prefix' | 'suffix' | 'without-prefix' | 'without-suffix';
      readonly text: string;
    };

export type TransformKind = Transform['kind'];
