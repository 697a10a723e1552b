import type { RecordSteps } from '../lane/record-steps.ts';
import type { ActivityDeps } from '../support/deps.ts';
import type { ReadVendorArgs } from './read-vendor.ts';
import type { SyncSummary } from './summary.ts';

export type ReadAndUpdateArgs = ReadVendorArgs & {
  /**
   * Whether the activity also sends a resulting update, because a separate activity would cost six history events. Used for lone changes.
   */
  readonly mayUpdate?: true;
};

/** Reads a vendor record and decides; with `mayUpdate` also sends a resulting update. Fails like the separate steps. */
export function createReadAndUpdate(
  { onStep }: Pick<ActivityDeps, 'onStep'>,
  readVendor: RecordSteps['readVendor'],
  updateAtVendor: RecordSteps['updateAtVendor'],
) {
  return async function readAndUpdate({ mayUpdate, ...args }: ReadAndUpdateArgs): Promise<SyncSummary> {
    const read = await readVendor(args);
    if (!mayUpdate || read.next !== 'update-at-vendor') return read;
    onStep?.(args.tenant, 'readVendor', read);
    const { tenant, key, work } = args;
    const { planId, fields } = read;
    const updated = await updateAtVendor({ tenant, key, planId, ...(work === undefined ? {} : { work }) });
    const { isRecentlyWritten } = read;
    return {
      ...updated,
      fields,
      wrote: true,
      ...(isRecentlyWritten === undefined ? {} : { isRecentlyWritten }),
    };
  };
}
