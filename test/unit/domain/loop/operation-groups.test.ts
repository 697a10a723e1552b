import { describe, expect, it } from 'vitest';
import {
  OPERATION_GROUPS,
  type OperationGroup,
  stoppedBy,
  stops,
  WORK,
  type Work,
} from '../../../../src/domain/loop/operation-groups.ts';

const ALL = Object.keys(OPERATION_GROUPS) as OperationGroup[];
const paused = (...groups: readonly OperationGroup[]) => groups.map((group) => ({ group, reason: group }));

describe('what a paused group stops', () => {
  it.each<[OperationGroup, readonly Work[]]>([
    ['vendor-sales', ['records', 'vendor-changes']],
    ['salesforce', ['records', 'crm-changes']],
    ['vendor-order', []],
    ['whole-tenant', ['records', 'vendor-changes', 'crm-changes']],
  ])('%s: %j and nothing else', (group, stopped) => {
    expect(WORK.filter((work) => stops(group, work))).toEqual(stopped);
    expect(WORK.filter((work) => stoppedBy(paused(group), work) !== undefined)).toEqual(stopped);
  });

  it('is told by the pause that stops it, whatever else is paused', () => {
    expect(stoppedBy(paused('vendor-order', 'salesforce', 'whole-tenant'), 'records')).toEqual({
      group: 'salesforce',
      reason: 'salesforce',
    });
    expect(stoppedBy([], 'records')).toBeUndefined();
  });
});

describe('the rows', () => {
  it('stop each kind of work by some group that ends by itself', () => {
    const probed = ALL.filter((group) => OPERATION_GROUPS[group].probe !== null);
    expect(WORK.filter((work) => !probed.some((group) => stops(group, work)))).toEqual([]);
  });

  it('leave one group to a person', () => {
    expect(ALL.filter((group) => OPERATION_GROUPS[group].probe === null)).toEqual(['whole-tenant']);
  });
});
