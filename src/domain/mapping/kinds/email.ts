import type { Text } from '../../record/canonical.ts';
import type { Lens } from '../lens.ts';
import { scalar } from './scalar.ts';

/** An e-mail address, compared case-insensitively. */
export const EMAIL: Lens<Text> = scalar({ key: (value) => JSON.stringify(foldCase(value)) });

export function foldCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
