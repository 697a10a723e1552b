/**
 * A transform (such as `upper`) of a CRM text, applied before the text is compared or sent. For writes to the CRM, Lockstep converts the
 * vendor's value back: for example, it removes a `prefix`. A result of `upper` or `trim` is written as it is, because the original text is
 * unknown. Each kind of transform needs such a conversion in Lockstep's code, so tenants cannot add kinds of their own.
 */
export type Transform =
  | { readonly kind: 'trim' | 'upper' | 'lower' | 'digits' }
  | { readonly kind: 'truncate'; readonly length: number }
  | {
      readonly kind: 'prefix' | 'suffix' | 'without-prefix' | 'without-suffix';
      readonly text: string;
    };

export type TransformKind = Transform['kind'];
