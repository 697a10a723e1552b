import type { Text } from '../../record/canonical.ts';
import type { Lens } from '../lens.ts';
import { scalar } from './scalar.ts';

/** Translates a code both ways. Unknown codes are synced unchanged. */
export const CODE: Lens<Text> = scalar();
