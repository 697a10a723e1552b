import { join } from 'node:path';
import { ROOT } from '../setup/paths.mjs';

/** The files of the client that hold the vendor's fields as interfaces. */
export const TYPE_FILES: readonly string[] = [
  'sales/answers.ts',
  'sales/inputs.ts',
  'order/catalog-answers.ts',
  'order/charge-answers.ts',
  'order/inputs.ts',
  'order/order-answers.ts',
].map((file) => join(ROOT, 'src', 'partner-api', file));
