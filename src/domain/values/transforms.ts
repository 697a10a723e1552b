import type { Transform, TransformKind } from '../record/transform.ts';

type Ways<T> = {
  /** Whether no details are lost: a value that is converted back to a text, and then transformed again, is always the same value. */
  readonly isExact: boolean;
  forth(text: string, transform: T): string;
  /**
   * Converts a value back to a text from which the transform makes this value. Undefined if there is no such text. A transform that drops
   * details (such as `upper`) returns the value itself, because the original text is unknown.
   */
  back(value: string, transform: T): string | undefined;
};

type WithLength = Extract<Transform, { readonly length: number }>;
type WithText = Extract<Transform, { readonly text: string }>;
type OfKind<K extends TransformKind> = K extends WithLength['kind']
  ? WithLength
  : K extends WithText['kind']
    ? WithText
    : Transform;

const lossy = (forth: (text: string) => string): Ways<Transform> => ({
  isExact: false,
  forth,
  back: (value) => value,
});

const TRANSFORMS: { readonly [K in TransformKind]: Ways<OfKind<K>> } = {
  trim: lossy((text) => text.trim()),
  upper: lossy((text) => text.toUpperCase()),
  lower: lossy((text) => text.toLowerCase()),
  digits: lossy((text) => text.replace(/\D/g, '')),
  truncate: {
    isExact: false,
    forth: (text, { length }) => [...text].slice(0, length).join(''),
    back: (value) => value,
  },
  prefix: {
    isExact: true,
    forth: (text, { text: affix }) => affix + text,
    back: (value, { text: affix }) => (value.startsWith(affix) ? value.slice(affix.length) : undefined),
  },
  suffix: {
    isExact: true,
    forth: (text, { text: affix }) => text + affix,
    back: (value, { text: affix }) => (value.endsWith(affix) ? value.slice(0, -affix.length) : undefined),
  },
  'without-prefix': {
    isExact: true,
    forth: (text, { text: affix }) => (text.startsWith(affix) ? text.slice(affix.length) : text),
    back: (value, { text: affix }) => affix + value,
  },
  'without-suffix': {
    isExact: true,
    forth: (text, { text: affix }) => (text.endsWith(affix) ? text.slice(0, -affix.length) : text),
    back: (value, { text: affix }) => value + affix,
  },
};

export const TRANSFORM_KINDS = Object.keys(TRANSFORMS) as readonly TransformKind[];

/**
 * Whether these transforms (text changes from the tenant's mapping) lose no details: a value that they convert back to a text, and then
 * transform again, is always the same value.
 */
export function isExact(transforms: readonly Transform[]): boolean {
  return transforms.every(({ kind }) => TRANSFORMS[kind].isExact);
}

/** Applies transforms (text changes from the tenant's mapping, such as `trim` or `prefix`) to a CRM text, in the given order. */
export function transformed(text: string, transforms: readonly Transform[]): string {
  return transforms.reduce((value, each) => waysOf(each).forth(value, each), text);
}

/**
 * Converts a value back to a CRM text from which these transforms (text changes of the mapping) make the value. Undefined if there is no
 * such text. Transforms that drop details (such as `upper`) leave the value as it is, because the original text is unknown.
 */
export function untransformed(value: string, transforms: readonly Transform[]): string | undefined {
  return transforms.reduceRight<string | undefined>(
    (text, each) => (text === undefined ? undefined : waysOf(each).back(text, each)),
    value,
  );
}

function waysOf(transform: Transform): Ways<Transform> {
  return TRANSFORMS[transform.kind] as Ways<Transform>;
}
