import { describe, expect, test } from 'vitest';
import { decideOn, theirs } from '../../../support/value-engine/samples.ts';

describe('a link of a ledger that was brought back', () => {
  const restoredAt = '2026-03-01T13:00:00.000Z';

  test('is looked at on both sides before anything is decided', () => {
    const plan = decideOn({ link: { restoredAt }, opportunity: { Name: 'New' } });
    expect(plan).toMatchObject({ next: 'read-vendor', reason: 'the ledger was brought back' });
  });

  test('knows of it once both were seen, and no other link does', () => {
    expect(decideOn({ link: { restoredAt }, vendor: theirs({}) }).baseAfter).toMatchObject({ restoredAt });
    expect(decideOn({ vendor: theirs({}) }).baseAfter).not.toHaveProperty('restoredAt');
  });
});
