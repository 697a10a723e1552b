import type { Text } from '../../record/canonical.ts';
import type { Lens } from '../lens.ts';
import { scalar } from './scalar.ts';

/** The lens of an e-mail address, compared without regard to letter case. */
export const EMAIL: Lens<Text> = scalar({ key: (value) => JSON.stringify(foldCase(value)) });

export function foldCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
