import type { RecordSteps } from '../lane/record-steps.ts';
import type { ActivityDeps } from '../support/deps.ts';
import type { ReadVendorArgs } from './read-vendor.ts';
import type { SyncSummary } from './summary.ts';

export type ReadAndUpdateArgs = ReadVendorArgs & {
  /** An update that the reading leads to leaves at once: the change is alone, and an activity of its own would cost it six events. */
  readonly mayUpdate?: true;
};

/**
 * Reads one record at the vendor and decides; where it may, it sends the update that this leads to as well. Fails as either does; what
 * the vendor has of it then only a new reading tells.
 */
export function createReadAndUpdate(
  { onStep }: Pick<ActivityDeps, 'onStep'>,
  readVendor: RecordSteps['readVendor'],
  updateAtVendor: RecordSteps['updateAtVendor'],
) {
  return async function readAndUpdate({ mayUpdate, ...args }: ReadAndUpdateArgs): Promise<SyncSummary> {
    const read = await readVendor(args);
    if (!mayUpdate || read.next !== 'update-at-vendor') return read;
    onStep?.(args.tenant, 'readVendor', read);
    const { tenant, key, share } = args;
    const { planId, fields } = read;
    const updated = await updateAtVendor({ tenant, key, planId, ...(share === undefined ? {} : { share }) });
    const { isRecentlyWritten } = read;
    return {
      ...updated,
      fields,
      wrote: true,
      ...(isRecentlyWritten === undefined ? {} : { isRecentlyWritten }),
    };
  };
}
