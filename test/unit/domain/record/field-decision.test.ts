import { expect, it } from 'vitest';
import {
  AGAIN_VERDICTS,
  type FieldVerdict,
  OPEN_VERDICTS,
  TO_CRM_VERDICTS,
} from '../../../../src/domain/record/field-decision.ts';

/** Whether the CRM is given a value, whether another write follows one at the vendor, whether the base stays. */
const VERDICTS: Readonly<Record<FieldVerdict, readonly [toCrm: boolean, again: boolean, open: boolean]>> = {
  unchanged: [false, false, false],
  same: [false, false, false],
  'to-vendor': [false, false, true],
  'to-crm': [true, true, true],
  merged: [true, true, true],
  'conflict-crm': [false, false, true],
  'conflict-vendor': [true, true, true],
  'conflict-held': [false, false, true],
  'undone-at-vendor': [false, false, true],
  'undone-in-crm': [true, true, true],
  cleared: [false, true, true],
  withheld: [false, false, true],
  ignored: [false, false, false],
  defaulted: [false, false, false],
};

it.each(Object.entries(VERDICTS))('%s', (name, expected) => {
  const verdict = name as FieldVerdict;
  const sets = [TO_CRM_VERDICTS, AGAIN_VERDICTS, OPEN_VERDICTS];
  expect(sets.map((set) => set.has(verdict))).toEqual(expected);
});
