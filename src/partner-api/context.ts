import type { DeprecatedUse } from './deprecation.ts';
import type { Repeat } from './repeat-reads.ts';
import type { Transport } from './transport.ts';

/** What all operations of the client share: the transport and the options. */
export type OperationContext = {
  readonly transport: Transport;
  readonly repeat: Repeat;
  readonly onDeprecated: (use: DeprecatedUse) => void;
  readonly now: () => Date;
};
