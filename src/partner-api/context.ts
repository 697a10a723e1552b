import type { DeprecatedUse } from './deprecation.ts';
import type { Repeat } from './repeat-reads.ts';
import type { Transport } from './transport.ts';

/** The transport and the options that all operations of one client share. */
export type OperationContext = {
  readonly transport: Transport;
  readonly repeat: Repeat;
  readonly onDeprecated: (use: DeprecatedUse) => void;
  readonly now: () => Date;
};
