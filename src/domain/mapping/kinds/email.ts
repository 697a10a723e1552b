import type { Text } from '../../record/canonical.ts';
import type { Lens } from '../lens.ts';
import { scalar } from './scalar.ts';

/** Translates an e-mail address between the CRM and the vendor. Upper and lower case do not count as a difference. */
export const EMAIL: Lens<Text> = scalar({ key: (value) => JSON.stringify(foldCase(value)) });

export function foldCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
