import { OPERATION_GROUPS, type OperationGroup } from '../loop/operation-groups.ts';
import { needsOf, STREAM_NAMES, STREAMS, type StreamName } from './streams.ts';

/** Work that a pause can stop: the work on records, or a stream. */
export type Work = 'records' | StreamName;
export const WORK: readonly Work[] = ['records', ...STREAM_NAMES];

const RECORDS_NEED: readonly OperationGroup[] = ['vendor-sales', 'salesforce'];

/**
 * The first of these pauses that stops the given work; undefined if none of them does. A pause stops the requests of one operation group
 * (requests that fail together).
 */
export function stoppedBy<Pause extends { readonly group: OperationGroup }>(
  pauses: readonly Pause[],
  work: Work,
): Pause | undefined {
  return pauses.find(({ group }) => stops(group, work));
}

/** Whether a pause of the operation group (requests that fail together) stops the given work. */
export function stops(group: OperationGroup, work: Work): boolean {
  const needs: readonly OperationGroup[] = work === 'records' ? RECORDS_NEED : needsOf(STREAMS[work]);
  return OPERATION_GROUPS[group].stops === 'everything' || needs.includes(group);
}
