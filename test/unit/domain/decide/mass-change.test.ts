import { describe, expect, it } from 'vitest';
import {
  DEFAULT_MASS_CHANGE_GUARD,
  DETACHED_STATES,
  isMassChange,
  linkedForVerdict,
} from '../../../../src/domain/decide/mass-change.ts';
import type { LinkState } from '../../../../src/domain/record/link-state.ts';

describe('whether a deal has left', () => {
  it.each<[LinkState, boolean]>([
    ['new', false],
    ['pending', false],
    ['in-sync', false],
    ['conflict', false],
    ['parked', false],
    ['detached', true],
    ['vendor-missing', true],
    ['superseded', false],
  ])('%s: %s', (state, expected) => {
    expect(DETACHED_STATES.has(state)).toBe(expected);
  });
});

describe('whether what leaves looks like an accident', () => {
  it.each([
    [1, 1, false],
    [19, 19, false],
    [20, 20, true],
    [20, 99, true],
    [20, 100, false],
    [21, 100, true],
    [200, 1000, false],
    [201, 1000, true],
  ])('%i of %i records: %s', (detaching, linked, expected) => {
    expect(isMassChange({ detaching, linked }, DEFAULT_MASS_CHANGE_GUARD)).toBe(expected);
  });

  it.each([
    [20, 100],
    [21, 105],
    [33, 165],
  ])('%i of %i records are no accident, of one less they are', (detaching, enough) => {
    expect(linkedForVerdict(detaching, DEFAULT_MASS_CHANGE_GUARD)).toBe(enough);
    expect(isMassChange({ detaching, linked: enough }, DEFAULT_MASS_CHANGE_GUARD)).toBe(false);
    expect(isMassChange({ detaching, linked: enough - 1 }, DEFAULT_MASS_CHANGE_GUARD)).toBe(true);
  });
});
