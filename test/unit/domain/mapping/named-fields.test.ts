import { expect, test } from 'vitest';
import { fieldsNamedByVendor, offersNamedByVendor } from '../../../../src/domain/mapping/index.ts';

test.each([
  [['leadOpportunity.nextMilestone'], null, ['nextMilestone']],
  [['#/leadOpportunity/name', '#/offerLines/0/amount'], null, ['name', 'offerLines']],
  [['customerContact'], null, ['customerContacts']],
  [[], 'The value of nextMilestone is too long, see closeDate.', ['closeDate', 'nextMilestone']],
  [[], 'The name, the status and the description are wrong.', ['description', 'name', 'status']],
  [[], 'Next milestone date is in the past', ['nextMilestoneDate']],
  [[], 'The Next Milestone and the close_date are too late', ['closeDate', 'nextMilestone']],
  [[], 'leadOpportunity.status: not so', ['status']],
  [[], 'The status needs a reasonLost.', ['reasonLost']],
  [[], 'The names are statuses.', []],
  [['partnerId'], 'nextMilestone', []],
  [[], null, []],
])('the vendor names by %j and "%s"', (paths, words, fields) => {
  expect([...fieldsNamedByVendor(paths, words)].sort()).toEqual([...fields].sort());
});

test('of a request, the clearest reading that names a sent field counts', () => {
  const words = 'status: the reasonLost is missing';
  expect(fieldsNamedByVendor([], words, ['status', 'nextMilestone'])).toEqual(['status']);
  expect(fieldsNamedByVendor([], words, ['status', 'reasonLost'])).toEqual(['reasonLost']);
  expect(fieldsNamedByVendor([], words, ['nextMilestone'])).toEqual([]);
});

test.each([
  ['The offer OFR-1 is not sold any more.', ['OFR-1']],
  ['OFR-10, "OFR-2".', ['OFR-2']],
  ['The basic offer is not sold any more.', []],
  [null, []],
])('of lines, the words "%s" name those of %j', (words, offers) => {
  const lines = ['OFR-1', 'OFR-2', 'OFR-2', 'basic', null].map((offerNameId) => ({
    offerNameId,
    amount: '1',
    revenueType: null,
  }));
  expect(offersNamedByVendor(lines, words)).toEqual(offers);
});
