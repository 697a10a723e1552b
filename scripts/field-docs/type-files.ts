import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';

/** Files of the client with interfaces of the vendor's fields. */
export const TYPE_FILES: readonly string[] = [
  'sales/answers.ts',
  'sales/inputs.ts',
  'order/catalog-answers.ts',
  'order/charge-answers.ts',
  'order/inputs.ts',
  'order/order-answers.ts',
].map((file) => join(ROOT, 'src', 'partner-api', file));
