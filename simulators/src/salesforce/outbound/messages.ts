import type { OutboundDef } from '../schema/types.ts';
import type { Change } from '../store/row.ts';
import { messageName } from './dispatcher.ts';
import { type FlowDef, starts } from './flow.ts';

/**
 * The rows for which a transaction's saves send an outbound message, each once, because a flow with this message starts. A user without the
 * permission "Send Outbound Messages" sends none.
 */
export function rowsToTell(
  definition: OutboundDef,
  flows: readonly FlowDef[],
  changes: readonly Change[],
  isSilentUser: (userId: string) => boolean,
): readonly string[] {
  const { object } = definition;
  const sending = flows.filter((flow) => flow.object === object && flow.message === messageName(definition));
  const matching = changes.filter(({ type, save, before, after }) => {
    if (type !== object || save === null || isSilentUser(String(after['LastModifiedById']))) return false;
    return sending.some((flow) => starts(flow, save, before, after));
  });
  return [...new Set(matching.map(({ id }) => id))];
}
