import type { Text } from '../../record/canonical.ts';
import type { Lens } from '../lens.ts';
import { scalar } from './scalar.ts';

/** The lens of a code. Unknown codes are synced unchanged. */
export const CODE: Lens<Text> = scalar();
