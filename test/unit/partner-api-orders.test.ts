import { describe, expect, it } from 'vitest';
import { findUnknownValues, type SearchOrdersInput } from '../../src/partner-api/index.ts';
import { failureOf, KEY, usePartnerApi } from '../support/partner-api/partner-api-fixture.ts';
import { wireDetail, wireSummary } from '../support/partner-api/partner-orders.ts';

const fixture = usePartnerApi();
const PREFIX = '/order/api4partners';
const NOW = new Date('2026-11-21T12:00:00.000Z');
const info = { success: true, statusCode: 200, estimatedSearchCount: 1 };
const connect = () => fixture.connect({ now: () => NOW, keyHeader: 'sales-key', onDeprecated: () => undefined });

describe('readOrder', () => {
  it('gives one model for v0 and v1', async () => {
    fixture.server.script({ body: { info, data: [wireDetail('v0')] } }, { body: { info, data: [wireDetail('v1')] } });
    const v0 = await connect().readOrder({ id: 'PO/1' }, { apiVersion: 'v0' });
    const v1 = await connect().readOrder({ id: 'PO/1' });
    expect(v0.data).toEqual(v1.data);
    expect(v1.data).toMatchObject({
      opportunityId: 'DS-1',
      transaction: { status: { code: 'APP', name: 'Finance Approved', known: true } },
      onlineConsentStatus: { code: 'S', name: 'Requested' },
      recurringChargeBillingCycle: { code: 'ANNR360', name: 'Rolling Year 360' },
    });
    expect(v0.data).not.toHaveProperty('opportunity');
    const paths = fixture.server.requests.map((request) => request.path);
    expect(paths).toEqual([`${PREFIX}/v0/orders/PO%2F1`, `${PREFIX}/v1/orders/PO%2F1`]);
  });

  it('rounds the noise of serialization off and keeps unknown members', async () => {
    fixture.server.script({ body: { info, data: [wireDetail('v0')] } });
    const { data } = await connect().readOrder({ id: 'PO-1' }, { apiVersion: 'v0' });
    expect(data.licenseChargeConditions[0]?.licenseChargeBreakdown[0]).toMatchObject({
      unitListPrice: '1200.1',
      totalListPrice: '3600.3',
      distributorNetAmount: '2340.19',
      distributorDiscountPercentage: '35',
      distributorMaximumMarginPercentage: '12.5',
      customerMaximumNetAmount: '3000',
      customerMinimumDiscountPercentage: null,
      inflation: { ratio: '1.03' },
      product: { type: { code: 'NU', name: 'Named User' }, dsOffering: { code: 'HW' } },
      extra: { unknownMember: true },
    });
    expect(data.licenseChargeConditions[0]?.waiver).toEqual({ duration: 3 });
  });

  it('sends the documented header of the order domain, not that of the sales domain', async () => {
    fixture.server.script({ body: { info, data: [wireDetail('v1')] } });
    await connect().readOrder({ id: 'PO-1' });
    expect(fixture.server.requests[0]?.headers).toMatchObject({ 'x-api-key': KEY });
    expect(fixture.server.requests[0]?.headers).not.toHaveProperty('sales-key');
  });

  it.each([
    [[], 'data'],
    [[{ ...wireDetail('v1'), agreement: undefined }], 'data[0].agreement'],
  ])('is a protocol error for data %#', async (data, field) => {
    fixture.server.script({ body: { info, data } });
    expect(await failureOf(connect().readOrder({ id: 'PO-1' }))).toMatchObject({
      kind: 'protocol',
      fields: [field],
    });
  });

  it('keeps and reports values that the documents do not show', async () => {
    const order = wireSummary('PO-1', {
      transaction: { id: 'PO-1', status: 'ZZZ' },
      onlineConsentStatus: 'A',
    });
    fixture.server.script({ body: { info, data: [order] } });
    const { data } = await connect().searchOrders({ installedBaseNumber: 'IB-1' });
    expect(data[0]?.transaction.status).toEqual({ code: 'ZZZ', name: null, known: false });
    expect(findUnknownValues(data)).toEqual([{ path: '[0].transaction.status', value: 'ZZZ' }]);
  });
});

describe('searchOrders', () => {
  it('sends the page as query and the criteria as body', async () => {
    fixture.server.script({ body: { info, data: [wireSummary('PO-1')] } });
    const lastUpdateDateTime = { from: '2026-11-18T12:00:00.000Z' };
    const result = await connect().searchOrders({
      lastUpdateDateTime,
      transactionType: 'PO',
      skip: 0,
      top: 100,
    });
    expect(result.data[0]).toMatchObject({ onlineConsentStatus: null, transaction: { id: 'PO-1' } });
    expect(fixture.server.requests).toMatchObject([
      {
        method: 'POST',
        path: `${PREFIX}/v1/orders/search?skip=0&top=100`,
        body: { lastUpdateDateTime, transactionType: 'PO' },
      },
    ]);
  });

  const at = (time: string) => `2026-11-${time}Z`;
  it.each([
    [{}, ['(body)']],
    [{ transactionType: 'PO' }, ['(body)']],
    [{ creationDateTime: {} }, ['creationDateTime']],
    [{ creationDateTime: { from: at('21T12:10:01') } }, ['creationDateTime.from']],
    [{ creationDateTime: { from: '2026-11-20T12:00:00+01:00' } }, ['creationDateTime.from']],
    [{ creationDateTime: { from: at('20T12:00:00'), to: at('20T12:00:00') } }, ['creationDateTime.to']],
    [{ creationDateTime: { from: at('10T12:00:00'), to: at('17T12:00:01') } }, ['creationDateTime.to']],
    [{ bookingDateTime: { from: at('10T12:00:00'), to: at('17T12:00:01') } }, ['bookingDateTime.to']],
    [{ lastUpdateDateTime: { from: at('10T12:00:00'), to: at('13T12:00:01') } }, ['lastUpdateDateTime.to']],
    [{ installedBaseNumber: 'x'.repeat(41) }, ['installedBaseNumber']],
    [{ onlineInstanceSeatId: 'x'.repeat(16) }, ['onlineInstanceSeatId']],
    [{ billToPoReferences: [] }, ['billToPoReferences']],
    [{ billToPoReferences: ['ok', 'x'.repeat(61)] }, ['billToPoReferences[1]']],
    [{ installedBaseNumber: 'x', transactionType: 'XX' }, ['transactionType']],
    [{ installedBaseNumber: 'x', skip: -1 }, ['skip']],
    [{ installedBaseNumber: 'x', top: 101 }, ['top']],
    [{ installedBaseNumber: 'x', top: 0 }, ['top']],
  ])('refuses %j before a request is spent', async (input, fields) => {
    const error = await failureOf(connect().searchOrders(input as SearchOrdersInput));
    expect(error).toMatchObject({ kind: 'invalid', sent: 'no', fields });
    expect(fixture.server.requests).toEqual([]);
  });

  it.each([
    [{ creationDateTime: { from: at('10T12:00:00'), to: at('17T12:00:00') } }],
    [{ lastUpdateDateTime: { from: at('10T12:00:00'), to: at('13T12:00:00') } }],
    [{ bookingDateTime: { from: at('21T12:00:00') } }],
    // Not in the future by a vendor's clock that is ahead of ours.
    [{ bookingDateTime: { from: at('21T12:10:00') } }],
    [{ bookingDateTime: { to: '2026-12-24T12:00:00Z' } }],
    [{ billToPoReferences: ['x'.repeat(60)], top: 1 }],
  ])('lets %j through, at the edge of the rules', async (input) => {
    fixture.server.script({ body: { info, data: [] } });
    expect((await connect().searchOrders(input)).data).toEqual([]);
  });

  it('judges what is in the future by the time of the call', async () => {
    let now = NOW;
    const api = fixture.connect({ now: () => now, onDeprecated: () => undefined });
    const input = { bookingDateTime: { from: at('21T13:00:00') } };
    expect(await failureOf(api.searchOrders(input))).toMatchObject({ fields: ['bookingDateTime.from'] });
    now = new Date(NOW.getTime() + 3_600_000);
    fixture.server.script({ body: { info, data: [] } });
    expect((await api.searchOrders(input)).data).toEqual([]);
  });
});
