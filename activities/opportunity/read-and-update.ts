import type { RecordSteps } from '../lane/record-steps.ts';
import type { ActivityDeps } from '../support/deps.ts';
import type { ReadVendorArgs } from './read-vendor.ts';
import type { SyncSummary } from './summary.ts';

export type ReadAndUpdateArgs = ReadVendorArgs & {
  /**
   * Whether the activity may also send the update that it decides on. This saves six history events. Used only for a lone change: no other
   * change of the record comes within seconds, and the change belongs to no bulk work and no burst (many records that change together).
   */
  readonly mayUpdate?: true;
};

/**
 * Reads a vendor record, decides and returns the next step. With `mayUpdate`, also sends the update that the decision requires. Throws the
 * failures of the separate activities for reading and updating.
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
