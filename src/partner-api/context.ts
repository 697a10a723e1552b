import type { DeprecatedUse } from './deprecation.ts';
import type { Transport } from './transport.ts';

/** What every operation is made from. */
export type OperationContext = {
  readonly transport: Transport;
  readonly onDeprecated: (use: DeprecatedUse) => void;
  readonly now: () => Date;
};
