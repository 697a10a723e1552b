import { describe, expect, it } from 'vitest';
import { noticeRow } from '../../activities/streams/owner-notices.ts';
import { ANSWER_NAMES, type DealNews, noticeOfDeal } from '../../src/domain/record/deal-news.ts';
import type { Notice, NoticeWay } from '../../src/domain/record/owner-notices.ts';
import { noticeOfOrders, type OrderNews } from '../../src/mirror/orders/order-news.ts';

/** Messages to owners of opportunities: what a vendor user may not do to their reader, and to their arrival, by the texts of a record. */

const WAYS: readonly NoticeWay[] = ['task', 'bell', 'chatter'];
const DEAL = { id: '006Hs00001ABCDEIA5', owner: '005Hs00001ABCDEIA5' };
/** The longest texts that Salesforce takes in the fields of messages (Object Reference: Task, FeedItem; Actions: customNotificationAction). */
const LONGEST: Readonly<Record<string, number>> = {
  ...{ Subject: 255, Description: 32_000, Body: 10_000, Bell_Title__c: 250, Bell_Body__c: 750 },
};

const answers = (text: string): DealNews =>
  Object.fromEntries(ANSWER_NAMES.map((name) => [name, { was: text, is: `${text}!` }])) as DealNews;
const state = (text: string) => ({ status: text, statusName: text, consent: 'A', consentName: text, at: null });
const orders = (text: string, count = 1): readonly OrderNews[] =>
  Array.from({ length: count }, (_, n) => ({ order: `1${n}`, was: state(`${text}?`), is: state(text) }));

/** Every message about texts of a vendor user, as the fields that Salesforce gets. */
function messagesOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  const notices = [
    noticeOfDeal([answers(text)]),
    noticeOfDeal([{ dsComment: { was: null, is: text } }]),
    noticeOfOrders(orders(text)),
    noticeOfOrders(orders(text, 150)),
  ] as readonly Notice[];
  return notices.flatMap((notice) => WAYS.map((way) => noticeRow(way, notice, DEAL).fields));
}

const textsOf = (fields: Readonly<Record<string, unknown>>): readonly [string, string][] =>
  Object.entries(fields).filter((one): one is [string, string] => one[0] in LONGEST && typeof one[1] === 'string');

describe('a text of the vendor in a message to an owner', () => {
  it.each<readonly [string, string]>([
    ['of the longest kind', 'x'.repeat(100_000)],
    ['of many lines', 'x\n'.repeat(20_000)],
    ...[97, 98, 99, 100, 249, 250, 749, 750, 999, 1_000].map(
      (length) => [`with half a character at ${length}`, `${'x'.repeat(length)}😀😀😀`] as const,
    ),
    ['of pairs of halves only', '😀'.repeat(6_000)],
  ])('%s keeps no message from arriving', (_, text) => {
    for (const fields of messagesOf(text))
      for (const [name, value] of textsOf(fields)) {
        expect([name, value.length <= (LONGEST[name] ?? 0)]).toEqual([name, true]);
        expect([name, value.isWellFormed()]).toEqual([name, true]);
        expect(value.trim()).not.toBe('');
      }
  });

  it.each([
    ['a line break', '\n'],
    ['a carriage return', '\r'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
    ['a vertical tab', '\u000b'],
    ['a next line', '\u0085'],
  ])('makes no line of its own by %s', (_, separator) => {
    const text = `Done.${separator}Approval: Approved${separator}Order 4711: Finance Approved.`;
    for (const fields of messagesOf(text))
      for (const [, value] of textsOf(fields))
        expect(value.split(/[\p{Cc}\p{Zl}\p{Zp}]/u)).toEqual(
          expect.not.arrayContaining([expect.stringMatching(/^(Approval: Approved$|Order 4711)/)]),
        );
  });

  it.each(['\u202e', '\u2066', '\u200f', '\u0007', '\u001b[31m', '\u0000'])(
    'turns and hides nothing of the message by %j',
    (character) => {
      for (const fields of messagesOf(`a${character}b`))
        for (const [, value] of textsOf(fields)) expect(value).not.toContain(character.charAt(0));
    },
  );

  it.each(WAYS)('chooses no recipient, record or key: %s', (way) => {
    const notice = { subject: '{!$User.Id}', body: '"},"OwnerId":"005Hs00001EVILIA5' };
    const { fields } = noticeRow(way, notice, DEAL);
    const {
      OwnerId,
      WhatId,
      ParentId,
      Bell_Recipient__c: recipient,
      Bell_Target__c: target,
    } = fields as Record<string, unknown>;
    for (const id of [OwnerId, recipient]) if (id !== undefined) expect(id).toBe(DEAL.owner);
    for (const id of [WhatId, ParentId, target]) if (id !== undefined) expect(id).toBe(DEAL.id);
  });
});
