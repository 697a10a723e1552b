import { describe, expect, it } from 'vitest';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import { type DealNews, noticeOfDeal } from '../../../../src/domain/record/deal-news.ts';
import type { LinkWay } from '../../../../src/domain/record/linked-by.ts';
import type { VendorObservation } from '../../../../src/domain/record/observation.ts';
import type { Waiting } from '../../../../src/domain/record/plan.ts';
import { linkSample, usualRecord, V1, V2, vendorReading } from '../../../support/value-engine/samples.ts';

const AT = '2026-03-01T12:00:00.000Z';
const shows = (readOnly: VendorObservation['readOnly'], version = V2): VendorObservation =>
  vendorReading(usualRecord(), { readOnly, version });
const newsOf = (was: VendorObservation | null, is: VendorObservation): DealNews | undefined =>
  evolve(linkSample({ vendorObservation: was }), { type: 'vendor-read', observation: is }, AT).news;

describe('a read of a deal', () => {
  const pending = shows({ approvalStatus: 'PENDING', dsComment: null }, V1);

  it.each<[string, VendorObservation | null, VendorObservation, DealNews | undefined]>([
    [
      'another answer is news',
      pending,
      shows({ approvalStatus: 'REJECTED', dsComment: 'Another partner was first.' }),
      {
        approvalStatus: { was: 'PENDING', is: 'REJECTED' },
        dsComment: { was: null, is: 'Another partner was first.' },
      },
    ],
    [
      'the first answer is news',
      shows({}, V1),
      shows({ approvalStatus: 'PENDING' }),
      { approvalStatus: { was: null, is: 'PENDING' } },
    ],
    [
      'an answer that was taken back is news',
      pending,
      shows({ approvalStatus: null }),
      { approvalStatus: { was: 'PENDING', is: null } },
    ],
    ['the first read is none', null, shows({ approvalStatus: 'APPROVED' }), undefined],
    ['the same answer is none', pending, shows({ approvalStatus: 'PENDING' }), undefined],
    ['an answer that the vendor does not show is none', pending, shows({}), undefined],
    ['a read-only field without an answer is none', pending, shows({ growthType: 'NEW' }), undefined],
    [
      'an older read is none',
      shows({ approvalStatus: 'APPROVED' }, V2),
      shows({ approvalStatus: 'PENDING' }, V1),
      undefined,
    ],
    [
      'another vendor record is none',
      { ...pending, vendorId: 'DS-2' },
      shows({ approvalStatus: 'REJECTED' }),
      undefined,
    ],
  ])('%s', (_, was, is, news) => {
    expect(newsOf(was, is)).toEqual(news);
  });

  it.each<[string, LinkWay, VendorObservation, DealNews | undefined]>([
    [
      'an answer before the first read of a deal that we registered is news',
      'created-at-vendor',
      shows({ approvalStatus: 'REJECTED', dsComment: 'Another partner was first.', growthType: 'NEW' }),
      {
        approvalStatus: { was: null, is: 'REJECTED' },
        dsComment: { was: null, is: 'Another partner was first.' },
      },
    ],
    [
      'also where the answer of the create was lost',
      'own-create',
      shows({ approvalStatus: 'APPROVED' }),
      { approvalStatus: { was: null, is: 'APPROVED' } },
    ],
    [
      'that the vendor has not answered yet is none',
      'created-at-vendor',
      shows({ approvalStatus: 'Pending' }),
      undefined,
    ],
    ['what the vendor fills in at once is none', 'created-at-vendor', shows({ engagementType: 'STANDARD' }), undefined],
    ['an old deal that was matched is none', 'keys', shows({ approvalStatus: 'APPROVED' }), undefined],
  ])('%s', (_, way, is, news) => {
    const link = linkSample({ vendorObservation: null, linkedBy: { way, at: AT } });
    expect(evolve(link, { type: 'vendor-read', observation: is }, AT).news).toEqual(news);
  });

  it.each([
    ['in-sync', { closing: { was: null, is: 'WON' } }],
    ['closed-at-vendor', undefined],
  ] as const)('a deal that the vendor closes is news once: %s before', (state, news) => {
    const link = linkSample({ state, vendorObservation: vendorReading({ status: 'WON' }) });
    const plan = { next: 'nothing', decisions: [], stateAfter: 'closed-at-vendor', issues: [] };
    const outcome = {
      type: 'decided',
      plan: plan as unknown as Waiting,
      generation: 1,
      trigger: 'vendor',
    } as const;
    expect(evolve(link, outcome, AT).news).toEqual(news);
  });
});

describe('the message', () => {
  it.each<[string, readonly DealNews[], string | undefined, string | undefined]>([
    [
      'one answer',
      [{ approvalStatus: { was: 'PENDING', is: 'REJECTED' } }],
      'Vendor: Approval REJECTED',
      'Approval: REJECTED (was PENDING)',
    ],
    [
      'several answers together',
      [
        { approvalStatus: { was: null, is: 'PENDING' } },
        { approvalStatus: { was: 'PENDING', is: 'APPROVED' }, poNumber: { was: null, is: '7' } },
      ],
      'Vendor: 2 answers changed',
      'Approval: APPROVED\nPurchase order number: 7',
    ],
    [
      'a deal that the vendor won',
      [{ closing: { was: null, is: 'WON' } }],
      'Vendor: Closed at the vendor WON',
      'Closed at the vendor: WON',
    ],
    ['an emptied answer', [{ dsComment: { was: 'x', is: null } }], 'Vendor: Comment empty', 'Comment: empty (was x)'],
    [
      'nothing for an answer that came back',
      [{ poStatus: { was: 'A', is: 'B' } }, { poStatus: { was: 'B', is: 'A' } }],
      undefined,
      undefined,
    ],
  ])('%s', (_, news, subject, body) => {
    const notice = noticeOfDeal(news);
    expect([notice?.subject, notice?.body]).toEqual([subject, body]);
  });
});
