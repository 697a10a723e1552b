import { expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/domain/record/journal.ts';
import { linkedByLines, linkedByWords } from '../../../src/domain/record/linked-by.ts';

const line = (kind: JournalEntry['kind'], summary: JournalEntry['summary']): JournalEntry => ({
  ...{ at: '2027-01-04T08:00:00.000Z', kind, summary, decisions: [] },
});

it.each([
  ['created-at-vendor', line('remote-write', { next: 'create-at-vendor', answer: 'created' })],
  ['created-in-crm', line('remote-write', { next: 'create-in-crm', answer: 'created' })],
  ['created-in-crm', line('remote-write', { next: 'create-in-crm', answer: 'found in the CRM' })],
  ['own-create', line('adoption', { matchedOn: 'partnerLeadOpportunityId', uncertain: 'create' })],
  ['own-create', line('adoption', { matchedOn: 'partnerLeadOpportunityId', uncertain: 'no', afterCreate: true })],
  ['reference', line('adoption', { matchedOn: 'partnerLeadOpportunityId', uncertain: 'no' })],
  ['vendor-id', line('adoption', { matchedOn: 'Vendor_Id__c' })],
  ['shared', line('adoption', { matchedOn: 'shared' })],
  ['operator', line('adoption', { matchedOn: 'operator' })],
  ['relink', line('adoption', { matchedOn: 'relink' })],
  ['keys', line('adoption', { matchedOn: 'domain, name' })],
  [undefined, line('adoption', { matchedOn: 'domain, name', outcome: 'several-candidates' })],
  [undefined, line('remote-write', { next: 'create-at-vendor', answer: 'duplicate ERR801' })],
  [undefined, line('remote-write', { next: 'update-at-vendor', answer: 'updated' })],
  [undefined, line('state', { state: 'in-sync' })],
])('reads %s from a line of the journal', (way, entry) => {
  expect(linkedByLines([entry])?.way).toBe(way);
});

it('names the fields that matched', () => {
  const linkedBy = linkedByLines([line('adoption', { matchedOn: 'domain, name' })]);
  expect(linkedBy === null ? null : linkedByWords(linkedBy)).toBe('matched by the tenant’s keys (domain, name)');
});
