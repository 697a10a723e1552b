import type { Text } from '../../record/canonical.ts';
import type { Lens } from '../lens.ts';
import { scalar } from './scalar.ts';

/** A code: it travels raw, known or not. */
export const CODE: Lens<Text> = scalar();
