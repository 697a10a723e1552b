import type { Text } from '../../record/canonical.ts';
import type { Lens } from '../lens.ts';
import { scalar } from './scalar.ts';

/** Translates a code between the CRM and the vendor. A code that Lockstep does not know is synced unchanged. */
export const CODE: Lens<Text> = scalar();
