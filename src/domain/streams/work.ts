import { OPERATION_GROUPS, type OperationGroup } from '../loop/operation-groups.ts';
import { needsOf, STREAM_NAMES, STREAMS, type StreamName } from './streams.ts';

/** Work that a pause can stop: that on single records, and the reading of each stream. */
export type Work = 'records' | StreamName;
export const WORK: readonly Work[] = ['records', ...STREAM_NAMES];

const RECORDS_NEED: readonly OperationGroup[] = ['vendor-sales', 'salesforce'];

/** The first of a tenant's pauses that stops this work; undefined where it may go on. */
export function stoppedBy<Pause extends { readonly group: OperationGroup }>(
  pauses: readonly Pause[],
  work: Work,
): Pause | undefined {
  return pauses.find(({ group }) => stops(group, work));
}

/** Whether this work cannot go on while the group is out. */
export function stops(group: OperationGroup, work: Work): boolean {
  const needs: readonly OperationGroup[] = work === 'records' ? RECORDS_NEED : needsOf(STREAMS[work]);
  return OPERATION_GROUPS[group].stops === 'everything' || needs.includes(group);
}
