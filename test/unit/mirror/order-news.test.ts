import { describe, expect, it } from 'vitest';
import { newsOf, noticeOfOrders, type OrderNews, type OrderState } from '../../../src/mirror/orders/order-news.ts';

const NOW = '2027-01-04T08:00:00.000Z';
const state = (status: string | null, consent: string | null = null, at: string | null = NOW): OrderState => ({
  status,
  statusName: NAMES[status ?? ''] ?? null,
  consent,
  consentName: null,
  at,
});
const NAMES: Readonly<Record<string, string>> = {
  DFT: 'Draft',
  APP: 'Finance Approved',
  RJTV: 'Sent Back to VAR',
  WCC: 'Pending Customer Consent',
};

describe('what is worth telling', () => {
  it.each([
    ['another status', state('DFT'), state('APP'), true],
    ['a status that the documents do not show', state('DFT'), state('ZZZ'), true],
    ['the same status', state('APP'), state('APP'), false],
    ['a status that is gone', state('APP'), state(null), false],
    ['a consent that is asked for', state('APP', 'N'), state('APP', 'S'), true],
    ['a consent that was given', state('APP', 'S'), state('APP', 'A'), true],
    ['a consent that was refused', state('APP', 'S'), state('APP', 'R'), true],
    ['a request for consent that expired', state('APP', 'S'), state('APP', 'T'), true],
    ['a consent that is not asked for', state('APP'), state('APP', 'N'), false],
    ['a consent that the documents do not show', state('APP'), state('APP', '?'), false],
    ['a new order', null, state('DFT'), true],
    ['a new order that changed a day ago', null, state('DFT', null, '2027-01-03T08:00:00.000Z'), true],
    ['an old order that nobody knew', null, state('DFT', null, '2027-01-03T07:59:59.999Z'), false],
    ['an order that nobody knew, of no time', null, state('DFT', null, null), false],
    ['a stale writer', state('APP'), state('DFT', null, '2027-01-04T07:59:59.000Z'), false],
    ['an order of no time that was known', state('APP'), state('DFT', null, null), true],
  ])('%s', (_, was, is, isNews) => {
    expect(newsOf('PO-1', was, is, NOW)).toEqual(isNews ? { order: 'PO-1', was, is } : null);
  });
});

describe('what is reported', () => {
  const news = (order: string, was: OrderState | null, is: OrderState): OrderNews => ({ order, was, is });

  it('of one order names it and what it has become', () => {
    expect(noticeOfOrders([news('PO-1', state('DFT'), state('APP'))])).toEqual({
      subject: 'Vendor order PO-1: Finance Approved',
      body: 'Order PO-1: Finance Approved (was Draft).',
    });
  });

  it.each([
    ['RJTV', null, 'Order PO-1: Sent Back to VAR (was Draft). It was sent back to us.'],
    [
      'WCC',
      'S',
      'Order PO-1: Pending Customer Consent (was Draft). It waits for the consent of the final customer. Consent was asked for online.',
    ],
    ['DFT', 'R', 'Order PO-1: Draft. Consent was refused online.'],
    ['ZZZ', null, 'Order PO-1: ZZZ (was Draft).'],
  ])('says what %s asks for', (status, consent, body) => {
    expect(noticeOfOrders([news('PO-1', state('DFT'), state(status, consent))])?.body).toBe(body);
  });

  it('of several orders is one message, a line each, a new one too', () => {
    const result = noticeOfOrders([news('PO-1', state('DFT'), state('APP')), news('PO-2', null, state('DFT'))]);
    expect(result).toEqual({
      subject: '2 vendor orders changed',
      body: 'Order PO-1: Finance Approved (was Draft).\nOrder PO-2: Draft.',
    });
  });

  it('of several changes of one order is the last', () => {
    const changes = [news('PO-1', state('DFT'), state('WCC')), news('PO-1', state('WCC'), state('APP'))];
    expect(noticeOfOrders(changes)?.body).toBe('Order PO-1: Finance Approved (was Draft).');
  });

  it('of an order that is what it was is nothing', () => {
    const changes = [news('PO-1', state('DFT'), state('WCC')), news('PO-1', state('WCC'), state('DFT'))];
    expect(noticeOfOrders(changes)).toBeNull();
  });

  it('has room for a thousand', () => {
    const many = Array.from({ length: 1000 }, (_, n) => news(`PO-${n}`, state('DFT'), state('APP')));
    const result = noticeOfOrders(many);
    expect(result?.subject).toBe('1000 vendor orders changed');
    expect(result?.body.split('\n')).toHaveLength(101);
    expect(result?.body.length).toBeLessThan(10_000);
  });
});
